import { describe, expect, test } from 'bun:test'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { listSubmissions, type SubmissionsWanted } from '../../../src/operations/submission/list-submissions.ts'
import type { SubmissionPlace } from '../../../src/report/submission-reader.ts'
import { SqliteAccountStore } from '../../../src/storage/sqlite/account/account-store.ts'
import { SqliteFactReader } from '../../../src/storage/sqlite/report/fact-reader.ts'
import { ProcessedLedger, sent } from '../../processing/submissions/processed-ledger.ts'

/** Each look at the time takes so long. */
function slowClock(lookMs: number): Clock {
  let nowMs = 0
  return { now: systemClock.now, monotonicMs: () => (nowMs += lookMs) }
}

const boxOf = (ledger: ProcessedLedger, clock: Clock) => ({
  accounts: new SqliteAccountStore(ledger.connection, systemClock),
  processing: { catchUp: async () => 0, state: () => Promise.reject(new Error('nobody asks')) },
  submissions: ledger.submissions,
  facts: new SqliteFactReader(ledger.connection),
  clock,
})

const list = (ledger: ProcessedLedger, wanted: Partial<SubmissionsWanted>, clock = slowClock(0)) =>
  listSubmissions(
    boxOf(ledger, clock),
    { account: 'account-a', which: 'all', since: null, limit: 50, ...wanted },
    () => {},
  )

const many = 450
const rareAt = 2
const ledgerWithRareLead = (): ProcessedLedger =>
  new ProcessedLedger(
    ...Array.from({ length: many }, (_, minutes) =>
      sent(minutes, {
        email: `visitor-${minutes}@acme.example`,
        fields: { message: minutes === rareAt ? 'A blue gate' : 'Hello' },
      }),
    ),
  )

describe('a search that takes its time', () => {
  test('says how far it came, and finds the old lead as it goes on', async () => {
    await using ledger = ledgerWithRareLead()
    const first = await list(ledger, { q: 'Blue Gate' }, slowClock(20))
    expect(first.records).toEqual([])
    expect(first.stopped).toEqual({ backTo: first.next?.receivedAt ?? 0 })
    const ids: string[] = []
    let pages = 1
    for (let behind: SubmissionPlace | null = first.next; behind !== null; pages++) {
      const page = await list(ledger, { q: 'Blue Gate', behind }, slowClock(20))
      ids.push(...page.records.map(({ submissionId }) => submissionId))
      behind = page.next
    }
    expect([ids, pages]).toEqual([[`at-${rareAt}`], 3])
  })

  test('looks at some of them, however slow the machine is', async () => {
    await using ledger = ledgerWithRareLead()
    const { next } = await list(ledger, { q: 'blue gate' }, slowClock(60_000))
    expect(next?.receivedAt).toBeLessThan(sent(many - 1).receivedAt)
  })

  test('that has the time finds it on the first page', async () => {
    await using ledger = ledgerWithRareLead()
    const { records, stopped, next } = await list(ledger, { q: 'blue gate' })
    expect([records.map(({ submissionId }) => submissionId), stopped, next]).toEqual([[`at-${rareAt}`], null, null])
  })

  test('has pages of what it finds, each submission on one of them', async () => {
    await using ledger = ledgerWithRareLead()
    const ids: string[] = []
    let behind: SubmissionPlace | null = null
    do {
      const page = await list(ledger, { q: 'visitor', limit: 70, behind }, slowClock(20))
      ids.push(...page.records.map(({ submissionId }) => submissionId))
      behind = page.next
    } while (behind !== null)
    expect([ids.length, new Set(ids).size]).toEqual([many, many])
  })
})

describe('a search', () => {
  test.each(['fields', 'submissionId', 'source', 'message'])(
    'for %s finds no submission by the name of a field, which all have',
    async (q) => {
      await using ledger = new ProcessedLedger(sent(1))
      expect((await list(ledger, { q })).records).toEqual([])
    },
  )

  test('finds values of every kind, at any depth', async () => {
    await using ledger = new ProcessedLedger(
      sent(1, { fields: { list: [{ deep: 'Überraschung "7"' }], size: 3.25, wants: true } }),
    )
    for (const q of ['überRASCHUNG "7"', '3.25', 'true', 'contact1', 'go.acme', 'device-1'])
      expect([q, (await list(ledger, { q })).records.length]).toEqual([q, 1])
  })

  test('finds by the person’s id', async () => {
    await using ledger = new ProcessedLedger(sent(1), sent(2, { email: 'bob@acme.example', deviceId: 'device-2' }))
    const [{ personId = '' } = {}] = (await list(ledger, { q: 'bob@' })).records
    const { records } = await list(ledger, { q: String(personId).slice(20) })
    expect(records.map(({ submissionId }) => submissionId)).toEqual(['at-2'])
  })
})
