import type { RetentionClass, RetentionCutoffs } from '../../../processing/retention.ts'
import type { Connection } from '../database/connection.ts'
import { decisionKinds } from '../ledger/decision-codec.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/record-field.ts'
import { unlessDamaged } from '../salvage/damage.ts'
import { ascending } from '../salvage/ledger-numbers.ts'
import { salvagedRows } from '../salvage/ledger-salvage.ts'

/** Rows read at a time. */
const pageRows = 64

/** A record that is due for deletion. */
export interface Expired {
  sequence: number
  class: RetentionClass
}

interface Row {
  sequence: number
  receivedAt: number
}
type SubmissionRow = Row & { status: 'accepted' | 'refused' | null; isReleased: number }

/** By account, the sequence up to which no unprocessed submission is left. */
export type LookedThrough = Map<number, number>

/** How far the present sweep has come with an account's submissions. */
export interface SubmissionsUnderWay {
  /** The sequence up to which submissions unknown to processing were examined. */
  submissionsTo: number
}

interface Looked {
  /** The clock's time, epoch milliseconds. */
  now: number
  lookedThrough: LookedThrough
  /** Where to continue; moves past what is deleted. */
  underWay: SubmissionsUnderWay
}

/**
 * The position of a submission's release in the ledger. The index answers this alone, so no damaged record is touched.
 */
const releaseOf = `(SELECT release.sequence FROM ledger release
  WHERE release.account_row = fact.account_row AND release.kind = ${decisionKinds.release} AND release.id = fact.id)`

/** True also while its release waits to be processed or was set aside. */
const isReleased = `(released_at IS NOT NULL OR ${releaseOf} IS NOT NULL) AS isReleased`

/** Finds by index what an account no longer keeps, a few records at a time, which may be deleted in between. */
export function* expiredRecords(
  connection: Connection,
  accountRow: number,
  { now, lookedThrough, underWay, ...cutoffs }: RetentionCutoffs & Looked,
): Generator<Expired[]> {
  yield* expiredSubmissions(connection, { accountRow, status: 'refused', before: cutoffs.refused }, cutoffs)
  if (cutoffs.submissions !== null) {
    yield* expiredSubmissions(connection, { accountRow, status: 'accepted', before: cutoffs.submissions }, cutoffs)
  }
  yield* expiredUnknown(connection, accountRow, { ...cutoffs, now, lookedThrough, underWay })
  if (cutoffs.events === null) return
  for (const kind of [entryKinds.event, entryKinds.page_view, entryKinds.click]) {
    yield* expiredEvents(connection, { accountRow, kind, before: cutoffs.events, now })
  }
}

/** Refused submissions of the account beyond the newest so many, without released ones. */
export function* refusedBeyond({ raw }: Connection, accountRow: number, keptMax: number): Generator<Expired[]> {
  const newest = raw
    .query<Row, [number, number]>(
      `SELECT sequence, received_at AS receivedAt FROM submission_fact WHERE account_row = ? AND status = 'refused'
       ORDER BY received_at DESC, sequence DESC LIMIT 1 OFFSET ?`,
    )
    .get(accountRow, keptMax)
  yield []
  if (newest === null) return
  const page = raw.query<Row & { isReleased: number }, [number, number, number, number, number]>(
    `SELECT sequence, received_at AS receivedAt, ${isReleased}
     FROM submission_fact fact WHERE account_row = ? AND status = 'refused'
       AND (received_at, sequence) <= (?, ?) AND (received_at, sequence) > (?, ?)
     ORDER BY received_at, sequence LIMIT ${pageRows}`,
  )
  for (let after: Row = beginning; ; ) {
    const rows = page.all(accountRow, newest.receivedAt, newest.sequence, after.receivedAt, after.sequence)
    yield rows.filter(({ isReleased }) => isReleased === 0).map(({ sequence }) => ({ sequence, class: 'refused' }))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}

const beginning: Row = { receivedAt: -1, sequence: 0 }

function* expiredSubmissions(
  { raw }: Connection,
  { accountRow, status, before }: { accountRow: number; status: string; before: number },
  cutoffs: RetentionCutoffs,
): Generator<Expired[]> {
  const page = raw.query<SubmissionRow, [number, string, number, number, number]>(
    // A submission that was just released is yet to be counted.
    `SELECT sequence, received_at AS receivedAt, status, ${isReleased}
     FROM submission_fact fact WHERE account_row = ? AND status = ? AND received_at < ?
       AND (received_at, sequence) > (?, ?) AND coalesce(${releaseOf}, 0) <= (SELECT cursor FROM processing)
     ORDER BY received_at, sequence LIMIT ${pageRows}`,
  )
  for (let after: Row = beginning; ; ) {
    const rows = page.all(accountRow, status, before, after.receivedAt, after.sequence)
    yield rows.filter((row) => isExpired(row, cutoffs)).map(asExpired)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** A released submission is kept as long as an accepted one. */
function isExpired(row: SubmissionRow, cutoffs: RetentionCutoffs): boolean {
  if (isQuarantined(row)) return row.receivedAt < cutoffs.refused
  return cutoffs.submissions !== null && row.receivedAt < cutoffs.submissions
}

const asExpired = (row: SubmissionRow): Expired => ({
  sequence: row.sequence,
  class: isQuarantined(row) ? 'refused' : 'submissions',
})

const isQuarantined = ({ status, isReleased }: SubmissionRow): boolean => status === 'refused' && isReleased === 0

/** Submissions unknown to processing: those of the test page and those set aside. */
function* expiredUnknown(
  { raw }: Connection,
  accountRow: number,
  { now, lookedThrough, underWay, ...cutoffs }: RetentionCutoffs & Looked,
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
  const begin = lookedThrough.get(accountRow) ?? 0
  // If something is left behind, the next sweep examines it again.
  let isComplete = underWay.submissionsTo <= begin
  for (let after = Math.max(begin, underWay.submissionsTo); ; ) {
    // On a damaged page, their kind is unknown: they stay.
    const rows = unlessDamaged(
      () => ascending(page.all(accountRow, after), after),
      () => [],
    )
    const unknown = rows.filter(({ isKnown }) => isKnown === 0)
    const expired = unknown.filter((row) => isExpired(row, cutoffs))
    yield expired.map(asExpired)
    const last = rows.at(-1)
    if (last === undefined || areAllYoung(rows, { before: latest, now })) return
    after = last.sequence
    underWay.submissionsTo = after
    isComplete &&= expired.length === unknown.length
    if (isComplete) lookedThrough.set(accountRow, after)
  }
}

/** The oldest by commit, up to a page of young records only. A later sweep makes up for clocks that were set back. */
function* expiredEvents(
  connection: Connection,
  { accountRow, kind, ...limits }: { accountRow: number; kind: number } & Limits,
): Generator<Expired[]> {
  const page = connection.raw.query<Row, [number, number, number]>(
    `SELECT sequence, received_at AS receivedAt FROM ledger
     WHERE account_row = ? AND kind = ? AND sequence > ? AND sequence <= (SELECT cursor FROM processing)
     ORDER BY sequence LIMIT ${pageRows}`,
  )
  for (let after = 0; ; ) {
    const salvage = { accountRow, kinds: [kind], after, limit: pageRows, onMissing: () => {} }
    const rows: Row[] = unlessDamaged(
      () => ascending(page.all(accountRow, kind, after), after),
      () => salvagedRows(connection, salvage),
    )
    const last = rows.at(-1)
    if (last === undefined || areAllYoung(rows, limits)) return
    const expired = rows.filter(({ receivedAt }) => receivedAt < limits.before)
    yield expired.map(({ sequence }) => ({ sequence, class: 'events' }))
    after = last.sequence
  }
}

interface Limits {
  before: number
  now: number
}

/** If the clock was ahead by less than this, the next sweep after that time looks past those records. */
const aheadMsMin = 86_400_000

/** A page of receipts in the future was written while the clock was ahead, and says nothing about later pages. */
const areAllYoung = (rows: readonly Row[], { before, now }: Limits): boolean =>
  rows.every(({ receivedAt }) => receivedAt >= before) && rows.some(({ receivedAt }) => receivedAt <= now + aheadMsMin)
