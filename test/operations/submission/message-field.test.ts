import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/lib/json-value.ts'
import { messageIn } from '../../../src/operations/submission/message-field.ts'

const form = {
  schema: {
    properties: {
      size: { enum: ['Fewer than ten people', 'Between 10 and 20 people'] },
      rooms: { type: 'array', items: { enum: ['A new kitchen, please', 'A bath'] } },
      consent: { const: 'I agree that you store my data' },
      news: { type: ['boolean', 'null'] },
      plan: { type: 'string' },
    },
  },
}
const honeypot = { field: 'website', value: null }
const file = { id: '', field: 'cv', name: '', type: '', bytes: 0, sha256: '' }

const messageOf = (fields: JsonObject, of: typeof form | null = form): string | null =>
  messageIn({ fields, honeypot, files: [file] }, of)?.name ?? null

const written = 'We would like a quote.'

describe('the message of a submission', () => {
  const table: [what: string, fields: JsonObject, message: string | null][] = [
    ['the longest text', { plan: written, more: `${written} Soon, please.` }, 'more'],
    ['a text in a field that the form does not declare', { anything: written }, 'anything'],
    ['a text shorter than what was chosen', { plan: written, size: 'Between 10 and 20 people' }, 'plan'],
    ['no choice of one', { size: 'Between 10 and 20 people' }, null],
    ['no choice of several', { rooms: 'A new kitchen, please' }, null],
    ['no list', { rooms: ['A new kitchen, please', 'A bath'] }, null],
    ['no box that is ticked', { consent: 'I agree that you store my data', news: 'Yes, send me the news' }, null],
    [
      'no text of three words, whether the form declares it or not',
      { plan: 'As soon as', more: 'Next week, please' },
      null,
    ],
    ['no numbers', { plan: '12 10 2026 1' }, null],
    ['no name and no address', { full_name: 'Ada King of Lovelace', address: '12 Long Lane, Little Town' }, null],
    ['no name of a file', { cv: 'my very long cv.pdf' }, null],
    ['nothing that robots fill in', { website: written }, null],
  ]
  test.each(table)('is %s', (_, fields, message) => {
    expect(messageOf(fields)).toBe(message)
  })

  test('is told from its length where the form is no longer known', () => {
    expect(messageOf({ size: 'Between 10 and 20 people' }, null)).toBe('size')
  })

  test('stands without the spaces around it', () => {
    expect(messageIn({ fields: { plan: ` ${written}\n` }, honeypot, files: [] }, form)?.text).toBe(written)
  })
})
