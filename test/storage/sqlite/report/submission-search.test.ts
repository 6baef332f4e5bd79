import { describe, expect, test } from 'bun:test'
import type { SubmissionPlace, SubmissionQuery } from '../../../../src/report/submission-reader.ts'
import { SqliteInboxStates } from '../../../../src/storage/sqlite/console/inbox-states.ts'
import { ProcessedLedger, refused, sent } from '../../../processing/submissions/processed-ledger.ts'

const many = 1200
const accountId = 'account-a'

const ledgerOf = (count: number, overrides: (minutes: number) => object = () => ({})): ProcessedLedger =>
  new ProcessedLedger(
    ...Array.from({ length: count }, (_, minutes) => {
      const email = `visitor-${minutes}@acme.example`
      return sent(minutes, { email, fields: { email }, ...overrides(minutes) })
    }),
  )

type Wanted = Partial<SubmissionQuery>

const look = ({ submissions }: ProcessedLedger, wanted: Wanted, behind: SubmissionPlace | null = null) =>
  submissions.search({ accountId, which: 'all', since: null, limit: 50, ...wanted, behind })

/** Ids of all that a search finds, look after look. */
async function found(ledger: ProcessedLedger, wanted: Wanted): Promise<string[]> {
  const ids: string[] = []
  let behind: SubmissionPlace | null = null
  do {
    const { rows, last } = await look(ledger, wanted, behind)
    ids.push(...rows.map(({ entry }) => entry.id))
    behind = last
  } while (behind !== null)
  return ids
}

const set = ({ connection }: ProcessedLedger, id: string, state: 'seen' | 'done') =>
  new SqliteInboxStates(connection).set(accountId, id, { state, at: 0, by: { kind: 'user', id: 'u' } as never })

describe('a search through submissions', () => {
  test('finds the one old lead with a text behind many without', async () => {
    await using ledger = ledgerOf(many, (minutes) => (minutes === 3 ? { fields: { message: 'A Blue Gate' } } : {}))
    expect((await look(ledger, { text: 'blue gate' })).rows).toEqual([])
    expect(await found(ledger, { text: 'blue gate' })).toEqual(['at-3'])
  })

  test('goes on behind the last that it has looked at, and meets each once', async () => {
    await using ledger = ledgerOf(many)
    const ids = await found(ledger, { text: 'visitor' })
    expect([ids.length, new Set(ids).size, ids[0], ids.at(-1)]).toEqual([many, many, `at-${many - 1}`, 'at-0'])
  })

  test.each([
    ['a part of its id', 'at-7'],
    ['the day of its receipt', '2026-11-20t12:07'],
    ['its sender’s address', 'visitor-7@'],
    ['text within text that JSON escapes', JSON.stringify('say "7"').slice(1, -1)],
    ['the way to the form', 'newsletter-7'],
  ])('keeps the submission that has %s', async (_, text) => {
    await using ledger = ledgerOf(10, (minutes) => ({ fields: { message: `Say "${minutes}"` } }))
    ledger.connection.raw.run(`UPDATE submission_fact SET last_touch = '{"source":"Newsletter-7"}' WHERE id = 'at-7'`)
    expect(await found(ledger, { text })).toEqual(['at-7'])
  })

  test('leaves out nobody for a text that may be of a person’s id', async () => {
    await using ledger = ledgerOf(10)
    expect(await found(ledger, { text: '0190-ab' })).toHaveLength(10)
  })

  test('finds the few of a state at once, however many are new', async () => {
    await using ledger = ledgerOf(many)
    for (const id of ['at-2', 'at-900']) await set(ledger, id, 'done')
    await set(ledger, 'at-5', 'seen')
    const { rows, last } = await look(ledger, { state: 'done' })
    expect([rows.map(({ entry }) => entry.id), last]).toEqual([['at-900', 'at-2'], null])
    expect(await found(ledger, { state: 'seen' })).toEqual(['at-5'])
  })

  test('finds the few that are new, however many are done', async () => {
    await using ledger = ledgerOf(many)
    ledger.connection.raw.run(`INSERT INTO submission_state (sequence, account_row, received_at, state, at, by)
      SELECT sequence, account_row, received_at, 'done', 0, '{}' FROM submission_fact WHERE id NOT IN ('at-1', 'at-700')`)
    expect(await found(ledger, { state: 'new' })).toEqual(['at-700', 'at-1'])
  })

  test('has a page of a state, and the next behind it', async () => {
    await using ledger = ledgerOf(10)
    for (const minutes of [1, 3, 5, 7]) await set(ledger, `at-${minutes}`, 'done')
    const first = await look(ledger, { state: 'done', limit: 3 })
    const second = await look(ledger, { state: 'done', limit: 3 }, first.last)
    expect([first, second].map(({ rows }) => rows.map(({ entry }) => entry.id))).toEqual([
      ['at-7', 'at-5', 'at-3'],
      ['at-1'],
    ])
  })

  test('keeps leads, quarantine and forms apart, released ones among the leads', async () => {
    await using ledger = new ProcessedLedger(
      sent(1),
      refused(2),
      refused(3),
      sent(4, { formId: 'second11' }),
      refused(5, { formId: 'second11' }),
    )
    await ledger.release('at-3')
    await ledger.release('at-5')
    ledger.process()
    await set(ledger, 'at-3', 'done')
    await set(ledger, 'at-2', 'done')
    const ids = (wanted: Wanted) => found(ledger, wanted)
    expect(await ids({})).toEqual(['at-5', 'at-4', 'at-3', 'at-2', 'at-1'])
    expect(await ids({ which: 'accepted' })).toEqual(['at-5', 'at-4', 'at-3', 'at-1'])
    expect(await ids({ which: 'refused' })).toEqual(['at-2'])
    expect(await ids({ which: 'accepted', form: 'second11' })).toEqual(['at-5', 'at-4'])
    expect(await ids({ which: 'accepted', form: 'contact1' })).toEqual(['at-3', 'at-1'])
    expect(await ids({ which: 'accepted', state: 'done' })).toEqual(['at-3'])
    expect(await ids({ which: 'refused', state: 'done', form: 'contact1' })).toEqual(['at-2'])
    expect(await ids({ which: 'refused', state: 'done', form: 'second11' })).toEqual([])
  })
})

describe('the last submission of each form', () => {
  test('is known however long ago it was, and in quarantine too', async () => {
    await using ledger = ledgerOf(300, (minutes) => {
      if (minutes === 1) return { formId: 'rare1111' }
      return minutes === 2 ? { formId: 'robots11', status: 'refused', refusedFor: 'honeypot' } : {}
    })
    const received = await ledger.submissions.lastReceived(accountId, ['contact1', 'rare1111', 'robots11', 'never111'])
    const at = (minutes: number) => sent(minutes).receivedAt
    expect([...received]).toEqual([
      ['contact1', at(299)],
      ['rare1111', at(1)],
      ['robots11', at(2)],
    ])
  })
})
