import { describe, expect, test } from 'bun:test'
import { type ExportOptions, exportedRecords } from '../../src/report/export.ts'
import { click, factsOf, ledgerOf, pageView, submission, submissionFinding, trackedEvent } from './sample-entries.ts'

const options = (overrides: Partial<ExportOptions> = {}): ExportOptions => ({
  ledger: ledgerOf([]),
  facts: factsOf(),
  accountId: 'account-a',
  what: 'submissions',
  since: null,
  until: null,
  include: 'accepted',
  test: false,
  ...overrides,
})

const submissionIds = async (overrides: Partial<ExportOptions>): Promise<string[]> =>
  (await Array.fromAsync(exportedRecords({ ...options(overrides), what: 'submissions' }))).map(
    (row) => row.submissionId,
  )

const eventIds = async (overrides: Partial<ExportOptions>): Promise<string[]> =>
  (await Array.fromAsync(exportedRecords({ ...options(overrides), what: 'events' }))).map((row) => row.eventId)

const both = [
  submission({ id: 'good' }),
  submission({ id: 'bot', status: 'refused', refusedFor: 'honeypot' }),
  submission({ id: 'good too' }),
]

describe('an export', () => {
  test('has the accepted submissions by default', async () => {
    expect(await submissionIds({ ledger: ledgerOf(both) })).toEqual(['good', 'good too'])
  })

  test('holds only the refused submissions when they are asked for', async () => {
    expect(await submissionIds({ ledger: ledgerOf(both), include: 'refused' })).toEqual(['bot'])
  })

  test('holds both kinds in order of receipt when all are asked for', async () => {
    expect(await submissionIds({ ledger: ledgerOf(both), include: 'all' })).toEqual(['good', 'bot', 'good too'])
  })

  test.each([
    ['accepted', ['good', 'bot', 'good too']],
    ['refused', []],
    ['all', ['good', 'bot', 'good too']],
  ] as const)('counts a released submission among the accepted: %s', async (include, expected) => {
    const facts = factsOf({ bot: { submission: submissionFinding({ isReleased: true }) } })
    expect(await submissionIds({ ledger: ledgerOf(both), facts, include })).toEqual([...expected])
  })

  test('tells of each record what is known of it', async () => {
    const facts = factsOf({ 'good too': { personId: 'person-2' } })
    const records = exportedRecords({ ...options({ ledger: ledgerOf(both), facts }), what: 'submissions' })
    expect((await Array.fromAsync(records)).map(({ personId }) => personId)).toEqual([null, 'person-2'])
  })

  test('leaves out what the test page sent', async () => {
    const ledger = ledgerOf([submission({ id: 'real' }), submission({ id: 'tried', test: true })])
    expect(await submissionIds({ ledger })).toEqual(['real'])
  })

  test('holds what the test page sent when it is asked for', async () => {
    const ledger = ledgerOf([trackedEvent({ id: 'real' }), trackedEvent({ id: 'tried', test: true })])
    expect(await eventIds({ ledger, test: true })).toEqual(['real', 'tried'])
  })

  test('of events holds tracked events, page views and clicks in order of commit, not of time', async () => {
    const ledger = ledgerOf([
      click({ id: 'third by time', receivedAt: 3 }),
      submission(),
      pageView({ id: 'first by time', receivedAt: 1 }),
      trackedEvent({ id: 'second by time', receivedAt: 2 }),
    ])
    expect(await eventIds({ ledger })).toEqual(['third by time', 'first by time', 'second by time'])
  })

  test('holds nothing of another account', async () => {
    const ledger = ledgerOf([submission({ id: 'ours' }), submission({ id: 'theirs', accountId: 'account-b' })])
    expect(await submissionIds({ ledger })).toEqual(['ours'])
  })

  test('begins at `since` and ends before `until`', async () => {
    const ledger = ledgerOf([1, 2, 3, 4].map((at) => submission({ id: `at ${at}`, receivedAt: at })))
    expect(await submissionIds({ ledger, since: 2, until: 4 })).toEqual(['at 2', 'at 3'])
  })

  test.each([0, 1, 255, 256, 257, 512, 700])('goes on behind each page until all %d rows are read', async (total) => {
    const ids = Array.from({ length: total }, (_, index) => `row ${index}`)
    expect(await submissionIds({ ledger: ledgerOf(ids.map((id) => submission({ id }))) })).toEqual(ids)
  })

  test('reads the next page only when its rows are wanted', async () => {
    const ledger = ledgerOf(Array.from({ length: 1000 }, () => submission()))
    for await (const _record of exportedRecords({ ...options({ ledger }), what: 'submissions' })) break
    expect(ledger.queries.length).toBe(1)
  })
})
