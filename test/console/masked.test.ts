import { expect, test } from 'bun:test'
import type { Form } from '../../src/account/form.ts'
import { mask, maskedSubmission } from '../../src/console/access/masked.ts'
import type { JsonObject } from '../../src/lib/json-value.ts'
import { noFacts } from '../../src/report/entry-facts.ts'
import { submissionRecord } from '../../src/report/record.ts'
import { submission } from '../report/sample-entries.ts'

const touch = {
  at: '2026-11-01T00:00:00.000Z',
  via: 'page_view',
  source: 'google',
  medium: 'cpc',
  campaign: 'spring',
  term: 'zoe lovelace',
  content: 'zoe@example.test',
  clickIds: { gclid: 'of-zoe' },
  referrer: 'https://elsewhere.example/zoe',
  url: 'https://go.acme.test/launch?for=zoe',
} as const

const sentWith = (fields: JsonObject) => submissionRecord(submission({ fields }), noFacts)

const shownOf = (fields: JsonObject, forms: Form[] = []): JsonObject => maskedSubmission(sentWith(fields), forms).fields

test('what says who sent a submission is masked: its values, its sender, and the addresses and ids of their visits', () => {
  const sent = submission({
    email: 'zoe@example.test',
    fields: { name: 'Zoe Lovelace', message: 'Ask for Miss Lovelace', none: null },
  })
  const record = { ...submissionRecord(sent, noFacts), attribution: { first: touch, last: touch } }
  const masked = maskedSubmission(record, [])
  expect(JSON.stringify(masked).toLowerCase()).not.toContain('zoe')
  expect(masked.fields).toEqual({ name: mask, message: mask, none: null })
  expect(masked.source).toMatchObject({ ip: null, userAgent: null, referer: null })
  expect(masked.attribution.last).toMatchObject({ source: 'google', medium: 'cpc', campaign: 'spring' })
})

test('names of files are masked in the fields that they came with, and mask no other answer', () => {
  const file = {
    id: 'f1',
    field: 'plan',
    name: 'kitchen-of-nowak.pdf',
    type: 'application/pdf',
    bytes: 1,
    sha256: 'ab',
  }
  const sent = submission({ fields: { plan: file.name, interest: 'kitchen' }, files: [file] })
  expect(maskedSubmission(submissionRecord(sent, noFacts), [])).toMatchObject({
    fields: { plan: mask, interest: 'kitchen' },
    files: [{ name: mask }],
  })
})

test.each([
  ['interest', 'kitchen'],
  ['preferred_day', '2026-12-03'],
  ['when', '3.12.2026, 14:30'],
  ['budget', '20,000–40,000 €'],
  ['rooms', ['kitchen', 'bath']],
  ['guests', 12],
  ['newsletter', true],
  ['note', 'x'.repeat(40)],
])('%s is shown: %p', (name, value) => {
  expect(shownOf({ [name]: value })).toEqual({ [name]: value })
})

test.each([
  ['first_name', 'Zoe'],
  ['Vorname', 'Zoe'],
  ['prénom', 'Zoé'],
  ['nazwisko', 'Nowak'],
  ['contact', 'zoe@example.test'],
  ['contact', 'zoe%40example.test'],
  ['question', 'Call +49 30 1234567'],
  ['question', '0301234567'],
  ['phone', '112'],
  ['mobile', 4915112345678],
  ['note', 'x'.repeat(41)],
])('%s is masked: %p', (name, value) => {
  expect(shownOf({ [name]: value })).toEqual({ [name]: mask })
})

test('an answer that repeats the name is masked, also among several', () => {
  expect(shownOf({ name: 'Zoe Lovelace', guests: ['Zoe and Ada', 'two more'] }).guests).toEqual([mask, 'two more'])
})

test('what a form gives to choose from is shown, whatever it looks like', () => {
  const schema = {
    properties: {
      plan: { enum: ['Plan 1234567'] },
      terms: { const: 'Terms of 20261010' },
      days: { items: { items: { enum: ['Monday 20261012'] } } },
    },
  }
  const form = { id: submission({}).formId, name: 'Contact', schema } as unknown as Form
  const offered = { plan: 'Plan 1234567', terms: 'Terms of 20261010', days: [['Monday 20261012']] }
  expect(shownOf(offered, [form])).toEqual(offered)
  expect(shownOf(offered)).toEqual({ plan: mask, terms: mask, days: [[mask]] })
})
