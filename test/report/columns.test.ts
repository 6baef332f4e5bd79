import { describe, expect, test } from 'bun:test'
import type { Form } from '../../src/account/form.ts'
import type { JsonObject } from '../../src/lib/json-value.ts'
import { parseLosslessText } from '../../src/lib/lossless-json.ts'
import { noFacts } from '../../src/report/entry-facts.ts'
import { personColumns, personRecord } from '../../src/report/person-reader.ts'
import { eventColumns, eventRecord, submissionColumns, submissionRecord } from '../../src/report/record.ts'
import { knownPerson, submission, submissionFinding, touch, trackedEvent } from './sample-entries.ts'

const form = (properties: JsonObject, id = 'contact1'): Form => ({
  id,
  version: 1,
  name: 'Contact',
  registered: true,
  honeypot: '_hp',
  botCheck: 'inherit',
  consentTextId: null,
  redirectUrl: null,
  schema: { type: 'object', properties },
  confirm: null,
  reply: null,
  files: {},
})

const headers = (forms: Form[]): string[] => submissionColumns(forms).map((column) => column.header)

/** The cells of one submission by header. */
function cells(forms: Form[], fields: JsonObject): Record<string, string> {
  const record = submissionRecord(submission({ fields }), noFacts)
  return Object.fromEntries(submissionColumns(forms).map((column) => [column.header, column.cell(record)]))
}

describe('the columns of submissions', () => {
  test('are the fixed ones, the declared properties of all forms once each, and otherFields', () => {
    const forms = [form({ email: {}, message: {} }), form({ email: {}, phone: {} }, 'callback')]
    expect(headers(forms).slice(-5)).toEqual(['source.variant', 'email', 'message', 'phone', 'otherFields'])
  })

  test('stand without forms', () => {
    expect(headers([]).at(-1)).toBe('otherFields')
  })

  test('are those of a form without declared properties as well', () => {
    expect(headers([{ ...form({}), schema: { type: 'object' } }])).toEqual(headers([]))
  })

  test('have names of their own when a form declares the name of a fixed one', () => {
    const names = headers([form({ status: {}, 'fields.status': {}, otherFields: {} })])
    expect(new Set(names).size).toBe(names.length)
  })

  test('keep a declared `status` apart from the record’s own', () => {
    const row = cells([form({ status: {} })], { status: 'married' })
    expect([row.status, row['fields.status']]).toEqual(['accepted', 'married'])
  })

  test('take a declared field out of otherFields', () => {
    const row = cells([form({ message: {} })], { message: 'Hello', size: 4 })
    expect([row.message, row.otherFields]).toEqual(['Hello', '{"size":4}'])
  })

  test('are empty for what was not sent', () => {
    const row = cells([form({ message: {} })], {})
    expect([row.message, row.otherFields]).toEqual(['', ''])
  })

  test('do not take what every object inherits for a field', () => {
    const row = new Map(Object.entries(cells([form({ constructor: {} })], {})))
    expect(row.get('constructor')).toBe('')
  })

  test('keep a field named __proto__', () => {
    const fields = parseLosslessText('{"__proto__":{"a":1}}') as JsonObject
    expect(cells([], fields).otherFields).toBe('{"__proto__":{"a":1}}')
  })

  test('keep the digits of numbers that a double would change', () => {
    const fields = parseLosslessText('{"amount":12345678901234567890,"rate":1.0}') as JsonObject
    const row = cells([form({ amount: {} })], fields)
    expect([row.amount, row.otherFields]).toEqual(['12345678901234567890', '{"rate":1.0}'])
  })

  test('write lists and objects as JSON', () => {
    expect(cells([form({ topics: {} })], { topics: ['a', { b: true }] }).topics).toBe('["a",{"b":true}]')
  })
})

test('the columns of events cover every key of the record', () => {
  const roots = new Set(eventColumns.map((column) => column.header.split('.')[0]))
  expect([...roots]).toEqual(Object.keys(eventRecord(trackedEvent(), noFacts)))
})

test('the fixed columns of submissions cover every key of the record but its fields', () => {
  const roots = new Set(submissionColumns([]).map((column) => column.header.split('.')[0]))
  expect([...roots]).toEqual([...Object.keys(submissionRecord(submission(), noFacts)).slice(0, -1), 'otherFields'])
})

test('the columns of persons cover every key of the record', () => {
  const roots = new Set(personColumns.map((column) => column.header.split('.')[0]))
  expect([...roots]).toEqual(Object.keys(personRecord(knownPerson())))
})

test('first and last touch have a column for each of their fields, empty if there is no touch', () => {
  const last = touch({ campaign: null, clickIds: { gclid: 'a' } })
  const record = submissionRecord(submission(), { ...noFacts, submission: submissionFinding({ last }) })
  const row = Object.fromEntries(submissionColumns([]).map(({ header, cell }) => [header, cell(record)]))
  for (const which of ['first', 'last'] as const) {
    const columns = Object.keys(row).filter((header) => header.startsWith(`attribution.${which}.`))
    expect(columns.toSorted()).toEqual(
      Object.keys(last)
        .map((key) => `attribution.${which}.${key}`)
        .toSorted(),
    )
  }
  expect(row).toMatchObject({
    'attribution.first.source': '',
    'attribution.last.source': 'newsletter',
    'attribution.last.campaign': '',
    'attribution.last.clickIds': '{"gclid":"a"}',
  })
})
