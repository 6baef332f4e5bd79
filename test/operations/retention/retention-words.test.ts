import { expect, test } from 'bun:test'
import { allowedText, clockDoubt, waitText } from '../../../src/operations/retention/retention-words.ts'
import { noRecords } from '../../../src/processing/retention.ts'

const wait = { class: 'submissions', due: 1200, kept: 3, also: noRecords() } as const

test('a pass that waits says what it would delete of every class', () => {
  expect(waitText('acme', 'acme', wait).found).toBe(
    'Retention waits: it would delete 1,200 submissions of acme at once and keep 3.',
  )
  expect(waitText('acme', 'acme', { ...wait, kept: 0, also: { submissions: 0, events: 60, refused: 1 } }).found).toBe(
    'Retention waits: it would delete 1,200 submissions of acme at once and keep none, and with them 60 events, page views and clicks and 1 refused submission.',
  )
})

test('so does the word that lets it go ahead', () => {
  expect(allowedText('acme', wait)).toBe('Allowed: `serve` deletes 1,200 submissions of acme. It keeps the rest.')
  expect(allowedText('acme', { ...wait, also: { ...noRecords(), events: 60 } })).toBe(
    'Allowed: `serve` deletes 1,200 submissions of acme, and with them 60 events, page views and clicks. It keeps the rest.',
  )
})

test('a clock that is behind is said to make records go too early, one that is ahead is not', () => {
  const now = Date.UTC(2026, 10, 22)
  expect(clockDoubt({ now, expectedAt: now + 1, isExact: true }).advice).toContain('deleted too early')
  expect(clockDoubt({ now, expectedAt: now - 1, isExact: true }).advice).not.toContain('too early')
})
