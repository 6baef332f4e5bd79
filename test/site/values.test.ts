import { describe, expect, test } from 'bun:test'
import { parseBrandColour, parseContact } from '../../src/site/values.ts'

describe('contact', () => {
  test.each([
    'hello@acme.example',
    "o'neil+web@mail.acme.example",
    'tel:+49-30-1234567',
    'https://www.acme.example/contact',
  ])('%s is one', (text) => {
    expect(parseContact(text)).toEqual({ value: text })
  })

  test.each([
    'hello@acme',
    'hello',
    'Ada <ada@acme.example>',
    'mailto:hello@acme.example',
    'javascript:alert(1)',
    'http://www.acme.example',
    'https://user:secret@acme.example',
    'https:acme.example',
    'tel:112',
    'tel:+49 30 1234567',
    'hello@acme.example\nBcc: all@acme.example',
    '',
  ])('%j is none', (text) => {
    expect(parseContact(text)).toHaveProperty('expected')
  })
})

describe('a colour', () => {
  test.each([
    ['#0b57a4', '#0b57a4'],
    ['#0B57A4', '#0b57a4'],
    ['#FfA', '#ffffaa'],
  ])('%s is %s', (text, value) => {
    expect(parseBrandColour(text)).toEqual({ value })
  })

  test.each(['red', '#12', '#1234', '#12345g', '0b57a4', '#0b57a4;}', ''])('%j is none', (text) => {
    expect(parseBrandColour(text)).toHaveProperty('expected')
  })
})
