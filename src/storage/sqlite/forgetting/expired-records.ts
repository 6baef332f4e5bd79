import {
  areAllYoung,
  classOf,
  type Expired,
  type ExpiredQuery,
  hasSubmissionExpired,
  type RetainedAccount,
  type RetentionStore,
} from '../../../processing/forgetting/retention-store.ts'
import type { RetentionClass } from '../../../processing/retention.ts'
import type { Connection } from '../database/connection.ts'
import { ascending } from '../database/damage.ts'
import { decisionKinds, entryKinds } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/record-field.ts'

/** Rows read at a time. */
const pageRows = 64

interface Row {
  sequence: number
  receivedAt: number
}
type SubmissionRow = Row & { status: 'accepted' | 'refused' | null; isReleased: number }

const eventKinds = [entryKinds.event, entryKinds.page_view, entryKinds.click]

/**
 * The position of a submission's release in the ledger. The index answers this alone.
 */
const releaseOf = `(SELECT release.sequence FROM ledger release
  WHERE release.account_row = fact.account_row AND release.kind = ${decisionKinds.release} AND release.id = fact.id)`

/** True also while its release waits to be processed or was set aside. */
const isReleased = `(released_at IS NOT NULL OR ${releaseOf} IS NOT NULL) AS isReleased`

/** Finds by index what an account no longer keeps. */
export function* expiredRecords(connection: Connection, query: ExpiredQuery): Generator<Expired[]> {
  yield* expiredSubmissions(connection, 'refused', query)
  yield* expiredSubmissions(connection, 'accepted', query)
  yield* expiredUnknown(connection, query)
  for (const kind of eventKinds) yield* expiredEvents(connection, kind, query)
}

/** Refused submissions of the account beyond the newest so many, without released ones. */
export function* refusedBeyond({ raw }: Connection, account: RetainedAccount, keptMax: number): Generator<Expired[]> {
  const newest = raw
    .query<Row, [number, number]>(
      `SELECT sequence, received_at AS receivedAt FROM submission_fact WHERE account_row = ? AND status = 'refused'
       ORDER BY received_at DESC, sequence DESC LIMIT 1 OFFSET ?`,
    )
    .get(account, keptMax)
  yield []
  if (newest === null) return
  const page = raw.query<SubmissionRow, [number, number, number, number, number]>(
    `SELECT sequence, received_at AS receivedAt, status, ${isReleased}
     FROM submission_fact fact WHERE account_row = ? AND status = 'refused'
       AND (received_at, sequence) <= (?, ?) AND (received_at, sequence) > (?, ?)
     ORDER BY received_at, sequence LIMIT ${pageRows}`,
  )
  for (let after: Row = beginning; ; ) {
    const rows = page.all(account, newest.receivedAt, newest.sequence, after.receivedAt, after.sequence)
    yield rows.filter((row) => row.isReleased === 0).map(asExpired)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}

const beginning: Row = { receivedAt: -1, sequence: 0 }

function* expiredSubmissions(
  { raw }: Connection,
  status: 'accepted' | 'refused',
  { account, cutoffs }: ExpiredQuery,
): Generator<Expired[]> {
  const before = status === 'refused' ? cutoffs.refused : cutoffs.submissions
  if (before === null) return
  const page = raw.query<SubmissionRow, [number, string, number, number, number]>(
    // A submission that was just released is yet to be counted.
    `SELECT sequence, received_at AS receivedAt, status, ${isReleased}
     FROM submission_fact fact WHERE account_row = ? AND status = ? AND received_at < ?
       AND (received_at, sequence) > (?, ?) AND coalesce(${releaseOf}, 0) <= (SELECT cursor FROM processing)
     ORDER BY received_at, sequence LIMIT ${pageRows}`,
  )
  for (let after: Row = beginning; ; ) {
    const rows = page.all(account, status, before, after.receivedAt, after.sequence)
    yield expiredOf(rows, cutoffs)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}

const asExpired = ({ sequence, status, isReleased }: SubmissionRow): Expired => ({
  sequence,
  class: classOf({ status, isReleased: isReleased === 1 }),
})

const expiredOf = (rows: readonly SubmissionRow[], cutoffs: ExpiredQuery['cutoffs']): Expired[] =>
  rows.filter((row) => hasSubmissionExpired({ ...row, isReleased: row.isReleased === 1 }, cutoffs)).map(asExpired)

/** Submissions unknown to processing: those of the test page and those set aside. */
function* expiredUnknown(
  { raw }: Connection,
  { account, now, cutoffs, lookedThrough }: ExpiredQuery,
): Generator<Expired[]> {
  const page = raw.query<SubmissionRow & { isKnown: number }, [number, number]>(
    `SELECT ledger.sequence, ledger.received_at AS receivedAt, fact.sequence IS NOT NULL AS isKnown, 0 AS isReleased,
       CASE WHEN fact.sequence IS NULL THEN ${recordField('status')} END AS status
     FROM ledger LEFT JOIN submission_fact fact ON fact.sequence = ledger.sequence
     WHERE ledger.account_row = ? AND kind = ${entryKinds.submission} AND ledger.sequence > ?
       AND ledger.sequence <= (SELECT cursor FROM processing)
     ORDER BY ledger.sequence LIMIT ${pageRows}`,
  )
  const latest = Math.max(cutoffs.refused, cutoffs.submissions ?? cutoffs.refused)
  // If something is left behind, the next sweep examines it again.
  let isComplete = true
  for (let after = lookedThrough.get(account) ?? 0; ; ) {
    const rows = ascending(page.all(account, after), after)
    const unknown = rows.filter(({ isKnown }) => isKnown === 0)
    const expired = expiredOf(unknown, cutoffs)
    yield expired
    const last = rows.at(-1)
    if (last === undefined || areAllYoung(rows, { before: latest, now })) return
    after = last.sequence
    isComplete &&= expired.length === unknown.length
    if (isComplete) lookedThrough.set(account, after)
  }
}

/** The oldest by commit, up to a page of young records only. A later sweep makes up for clocks that were set back. */
function* expiredEvents(
  { raw }: Connection,
  kind: number,
  { account, now, cutoffs: { events: before } }: ExpiredQuery,
): Generator<Expired[]> {
  if (before === null) return
  const page = raw.query<Row, [number, number, number]>(
    `SELECT sequence, received_at AS receivedAt FROM ledger
     WHERE account_row = ? AND kind = ? AND sequence > ? AND sequence <= (SELECT cursor FROM processing)
     ORDER BY sequence LIMIT ${pageRows}`,
  )
  for (let after = 0; ; ) {
    const rows = ascending(page.all(account, kind, after), after)
    const last = rows.at(-1)
    if (last === undefined || areAllYoung(rows, { before, now })) return
    const expired = rows.filter(({ receivedAt }) => receivedAt < before)
    yield expired.map(({ sequence }) => ({ sequence, class: 'events' }))
    after = last.sequence
  }
}

/** Rows counted at a time: well under a millisecond. */
const countedRows = 2000

/** How many records of a class would stay, page by page. */
export function* keptPages(
  { raw }: Connection,
  { account, cutoffs, class: name, lastDue }: Parameters<RetentionStore['kept']>[0],
): Generator<number> {
  if (name === 'events') {
    // Records expire almost in order of commit: those that stay come last.
    const page = raw.query<Page, [number, number, number]>(
      pageOf('sequence AS at', 'ledger WHERE account_row = ? AND kind = ? AND sequence > ?'),
    )
    for (const kind of eventKinds) yield* pages((from) => page.get(account, kind, from), lastDue)
    return
  }
  const page = raw.query<Page, [number, string, number]>(
    pageOf('received_at AS at', 'submission_fact WHERE account_row = ? AND status = ? AND received_at > ?'),
  )
  const [status, cutoff] = name === 'refused' ? ['refused', cutoffs.refused] : ['accepted', cutoffs.submissions ?? 0]
  yield* pages((from) => page.get(account, status, from), cutoff - 1)
}

interface Page {
  rows: number
  last: number | null
}

const pageOf = (column: string, rows: string): string =>
  `SELECT count(*) AS rows, max(at) AS last FROM (SELECT ${column} FROM ${rows} ORDER BY at LIMIT ${countedRows})`

function* pages(read: (from: number) => Page | null, first: number): Generator<number> {
  for (let page = read(first); page !== null && page.last !== null; page = read(page.last)) yield page.rows
}

/** Receipt of the first record of each class, epoch milliseconds; `null`: none. */
export function firstOfEachClass({ raw }: Connection, accountRow: number): Record<RetentionClass, number | null> {
  const submission = raw.query<{ at: number | null }, [number, string]>(
    'SELECT min(received_at) AS at FROM submission_fact WHERE account_row = ? AND status = ?',
  )
  const event = raw.query<{ at: number }, [number, number]>(
    'SELECT received_at AS at FROM ledger WHERE account_row = ? AND kind = ? ORDER BY sequence LIMIT 1',
  )
  const events = [entryKinds.event, entryKinds.page_view, entryKinds.click].flatMap((kind) => {
    const first = event.get(accountRow, kind)
    return first === null ? [] : [first.at]
  })
  return {
    submissions: submission.get(accountRow, 'accepted')?.at ?? null,
    events: events.length === 0 ? null : Math.min(...events),
    refused: submission.get(accountRow, 'refused')?.at ?? null,
  }
}
