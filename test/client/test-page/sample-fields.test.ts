import { describe, expect, test } from 'bun:test'
import type { PropertySchema } from '../../../src/client/test-page/sample-fields.ts'
import { sampleFields } from '../../../src/client/test-page/sample-fields.ts'

const fieldOf = (name: string, property: PropertySchema) => sampleFields({ properties: { [name]: property } })[0]

describe('the fields of the form that the test page builds', () => {
  test.each<[name: string, property: PropertySchema, kind: string, value: string]>([
    ['email', { type: 'string', format: 'email' }, 'email', 'visitor@example.com'],
    ['email', { type: 'string' }, 'email', 'visitor@example.com'],
    ['work', { type: 'string', format: 'email' }, 'email', 'visitor@example.com'],
    ['size', { type: 'string', enum: ['small', 'large'] }, 'choice', 'small'],
    ['consent', { type: 'string', const: 'yes' }, 'tick', 'yes'],
    ['agreed', { type: 'boolean' }, 'tick', 'true'],
    ['age', { type: 'integer' }, 'number', '1'],
    ['website', { type: 'string', format: 'uri' }, 'text', 'https://www.example.com/'],
    ['message', { type: 'string' }, 'long', 'Sent by the test page.'],
    ['name', {}, 'text', 'Test'],
  ])('are filled in as declared: %s %p', (name, property, kind, value) => {
    expect(fieldOf(name, property)).toMatchObject({ name, kind, value })
  })

  test.each([
    ['first_ink', 'First ink'],
    ['firstName', 'First name'],
    ['e-mail', 'E mail'],
    ['_', '_'],
  ])('are labelled as a person would: %s', (name, label) => {
    expect(fieldOf(name, {})?.label).toBe(label)
  })

  test('are required where the form says so, declared or not', () => {
    const fields = sampleFields({ properties: { email: {}, name: {} }, required: ['email', 'phone'] })
    expect(fields.map(({ name, required }) => [name, required])).toEqual([
      ['email', true],
      ['name', false],
      ['phone', true],
    ])
  })

  test('are an email where the form declares none', () => {
    expect(sampleFields({}).map(({ name }) => name)).toEqual(['email'])
    expect(sampleFields(undefined).map(({ name }) => name)).toEqual(['email'])
  })

  test('are no more than a page can show', () => {
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, {}]))
    expect(sampleFields({ properties })).toHaveLength(40)
  })
})
