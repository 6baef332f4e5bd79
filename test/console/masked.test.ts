import { expect, test } from 'bun:test'
import { mask, maskedSubmission } from '../../src/console/access/masked.ts'
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

test('what says who sent a submission is masked: its values, its sender, and the addresses and ids of their visits', () => {
  const sent = submission({ email: 'zoe@example.test', fields: { name: 'Zoe', message: 'From Zoe', none: null } })
  const record = { ...submissionRecord(sent, noFacts), attribution: { first: touch, last: touch } }
  const masked = maskedSubmission(record)
  expect(JSON.stringify(masked).toLowerCase()).not.toContain('zoe')
  expect(masked.fields).toEqual({ name: mask, message: mask, none: null })
  expect(masked.source).toMatchObject({ ip: null, userAgent: null, referer: null })
  expect(masked.attribution.last).toMatchObject({ source: 'google', medium: 'cpc', campaign: 'spring' })
})
