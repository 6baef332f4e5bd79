import {
  areAllYoung,
  classOf,
  hasSubmissionExpired,
  isMost,
  noRecords,
  type RetentionClass,
  type RetentionCutoffs,
  type RetentionWait,
  retentionClasses,
} from '../../../processing/retention.ts'
import type { Connection } from '../database/connection.ts'
import { ascending } from '../database/damage.ts'
import { decisionKinds, entryKinds, isOfSubmission } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/ledger-tree.ts'
import { pagesAfter } from '../lookup/pages.ts'

const pageRows = 64

export interface Expired {
  sequence: number
  class: RetentionClass
}

export interface ExpiredQuery {
  accountRow: number
  /** The clock's time, epoch milliseconds. */
  now: number
  cutoffs: RetentionCutoffs
  /**
   * By account, up to which record no submission that processing does not know is left. Moves on behind what was yielded and
   * deleted.
   */
  lookedThrough: Map<number, number>
}

type Status = 'accepted' | 'refused'

interface Row {
  sequence: number
  receivedAt: number
}
type SubmissionRow = Row & { status: Status | null; isReleased: number; refusedAt: number | null }

const eventKinds = [entryKinds.event, entryKinds.page_view, entryKinds.click]

/** Finds by index what an account no longer keeps, a few records at a time. Tolerates that they are deleted meanwhile. */
export function* expiredRecords(connection: Connection, query: ExpiredQuery): Generator<Expired[]> {
  const { accountRow, cutoffs } = query
  for (const [status, before] of [
    ['refused', cutoffs.refused],
    ['accepted', cutoffs.submissions],
  ] as const) {
    if (before === null) continue
    const upTo = { receivedAt: before - 1, sequence: Number.MAX_SAFE_INTEGER }
    for (const rows of submissionsUpTo(connection, { accountRow, status, upTo })) yield expiredOf(rows, cutoffs)
  }
  yield* expiredUnknown(connection, query)
  for (const kind of eventKinds) yield* expiredEvents(connection, kind, query)
}

/** Refused submissions of the account beyond the newest so many, without released ones. */
export function* refusedBeyond(connection: Connection, accountRow: number, keptMax: number): Generator<Expired[]> {
  const upTo = connection.raw
    .query<Row, [number, number]>(
      `SELECT sequence, received_at AS receivedAt FROM submission_fact WHERE account_row = ? AND status = 'refused'
       ORDER BY received_at DESC, sequence DESC LIMIT 1 OFFSET ?`,
    )
    .get(accountRow, keptMax)
  if (upTo === null) return
  for (const rows of submissionsUpTo(connection, { accountRow, status: 'refused', upTo }))
    yield rows.filter(({ isReleased }) => isReleased === 0).map(asExpired)
}

/** Of the latest release or refusal of a submission, what the index answers alone. */
const latestDecision = (what: 'sequence' | 'kind'): string => `(SELECT decision.${what} FROM ledger decision
  WHERE decision.account_row = fact.account_row AND decision.kind ${isOfSubmission} AND decision.id = fact.id
  ORDER BY decision.sequence DESC LIMIT 1)`

/** Submissions up to a place in the order of receipt, without those about which something was just decided that is yet to be processed. */
function submissionsUpTo(
  { raw }: Connection,
  { accountRow, status, upTo }: { accountRow: number; status: Status; upTo: Row },
): Generator<SubmissionRow[]> {
  const page = raw.query<SubmissionRow, [number, Status, number, number, number, number]>(
    // Released also while the release was set aside.
    `SELECT sequence, received_at AS receivedAt, status, refused_at AS refusedAt,
       (released_at IS NOT NULL OR ${latestDecision('kind')} IS ${decisionKinds.release}) AS isReleased
     FROM submission_fact fact WHERE account_row = ? AND status = ?
       AND (received_at, sequence) <= (?, ?) AND (received_at, sequence) > (?, ?)
       AND coalesce(${latestDecision('sequence')}, 0) <= (SELECT cursor FROM processing)
     ORDER BY received_at, sequence LIMIT ${pageRows}`,
  )
  return pagesAfter(
    { receivedAt: -1, sequence: 0 },
    (last) => page.all(accountRow, status, upTo.receivedAt, upTo.sequence, last.receivedAt, last.sequence),
    (row): Row => row,
  )
}

/** Submissions unknown to processing: those of the test page and those set aside. */
function* expiredUnknown({ raw }: Connection, query: ExpiredQuery): Generator<Expired[]> {
  const { accountRow, now, cutoffs, lookedThrough } = query
  const page = raw.query<SubmissionRow & { isKnown: number }, [number, number]>(
    `SELECT ledger.sequence, ledger.received_at AS receivedAt, fact.sequence IS NOT NULL AS isKnown, 0 AS isReleased, NULL AS refusedAt,
       CASE WHEN fact.sequence IS NULL THEN ${recordField('status')} END AS status
     FROM ledger LEFT JOIN submission_fact fact ON fact.sequence = ledger.sequence
     WHERE ledger.account_row = ? AND kind = ${entryKinds.submission} AND ledger.sequence > ?
       AND ledger.sequence <= (SELECT cursor FROM processing)
     ORDER BY ledger.sequence LIMIT ${pageRows}`,
  )
  const before = Math.max(cutoffs.refused, cutoffs.submissions ?? cutoffs.refused)
  // If something is left behind, the next sweep examines it again.
  let isComplete = true
  const read = (after: number) => ascending(page.all(accountRow, after), after)
  for (const rows of pagesAfter(lookedThrough.get(accountRow) ?? 0, read, sequenceOf)) {
    if (areAllYoung(rows, { before, now })) return
    const unknown = rows.filter(({ isKnown }) => isKnown === 0)
    const expired = expiredOf(unknown, cutoffs)
    yield expired
    isComplete &&= expired.length === unknown.length
    if (isComplete) lookedThrough.set(accountRow, rows.at(-1)?.sequence ?? 0)
  }
}

/** The oldest by commit, up to a page of young records only. A later sweep makes up for clocks that were set back. */
function* expiredEvents({ raw }: Connection, kind: number, query: ExpiredQuery): Generator<Expired[]> {
  const { accountRow, now, cutoffs } = query
  const before = cutoffs.events
  if (before === null) return
  const page = raw.query<Row, [number, number, number]>(
    `SELECT sequence, received_at AS receivedAt FROM ledger
     WHERE account_row = ? AND kind = ? AND sequence > ? AND sequence <= (SELECT cursor FROM processing)
     ORDER BY sequence LIMIT ${pageRows}`,
  )
  const read = (after: number) => ascending(page.all(accountRow, kind, after), after)
  for (const rows of pagesAfter(0, read, sequenceOf)) {
    if (areAllYoung(rows, { before, now })) return
    yield rows
      .filter(({ receivedAt }) => receivedAt < before)
      .map(({ sequence }) => ({ sequence, class: 'events' as const }))
  }
}

const sequenceOf = ({ sequence }: Row): number => sequence

const asExpired = ({ sequence, status, isReleased }: SubmissionRow): Expired => ({
  sequence,
  class: classOf({ status, isReleased: isReleased === 1 }),
})

const expiredOf = (rows: readonly SubmissionRow[], cutoffs: RetentionCutoffs): Expired[] =>
  rows.filter((row) => hasSubmissionExpired({ ...row, isReleased: row.isReleased === 1 }, cutoffs)).map(asExpired)

/**
 * Whether deleting what was received before the cutoffs would take most of an account's records of a class; `null`: no.
 * In steps, since an account may have millions. Deletes nothing.
 */
export function* mostOfAccount(
  connection: Connection,
  query: ExpiredQuery,
): Generator<undefined, RetentionWait | null> {
  const due = noRecords()
  let lastEvent = 0
  // How far this has looked is not remembered.
  for (const found of expiredRecords(connection, { ...query, lookedThrough: new Map(query.lookedThrough) })) {
    for (const { class: name, sequence } of found) {
      due[name]++
      if (name === 'events') lastEvent = Math.max(lastEvent, sequence)
    }
    yield
  }
  for (const name of retentionClasses) {
    let kept = 0
    for (const rows of isMost({ due: due[name], kept }) ? keptPages(connection, { ...query, name, lastEvent }) : []) {
      kept += rows
      if (!isMost({ due: due[name], kept })) break
      yield
    }
    if (isMost({ due: due[name], kept })) return { class: name, due: due[name], kept, also: { ...due, [name]: 0 } }
  }
  return null
}

/** Rows counted at a time: well under a millisecond. */
const countedRows = 2000

type Kept = Pick<ExpiredQuery, 'accountRow' | 'cutoffs'> & { name: RetentionClass; lastEvent: number }

/** How many records of a class would stay, page by page. */
function* keptPages(connection: Connection, { accountRow, cutoffs, name, lastEvent }: Kept): Generator<number> {
  if (name === 'events') {
    const byCommit = { rows: 'ledger WHERE account_row = ? AND kind = ?', at: 'sequence', behind: lastEvent }
    // Records expire almost in order of commit: those that stay come last.
    for (const kind of eventKinds) yield* countedPages(connection, byCommit, [accountRow, kind])
    return
  }
  const [status, cutoff] = name === 'refused' ? ['refused', cutoffs.refused] : ['accepted', cutoffs.submissions ?? 0]
  const byReceipt = { rows: 'submission_fact WHERE account_row = ? AND status = ?', at: 'received_at' }
  yield* countedPages(connection, { ...byReceipt, behind: cutoff - 1 }, [accountRow, status])
}

function* countedPages(
  { raw }: Connection,
  { rows, at, behind }: { rows: string; at: string; behind: number },
  whose: [number, number | string],
): Generator<number> {
  const page = raw.query<{ rows: number; last: number | null }, [number, number | string, number]>(
    `SELECT count(*) AS rows, max(at) AS last
     FROM (SELECT ${at} AS at FROM ${rows} AND ${at} > ? ORDER BY ${at} LIMIT ${countedRows})`,
  )
  for (let last: number | null = behind; last !== null; ) {
    const counted = page.get(...whose, last)
    yield counted?.rows ?? 0
    last = counted?.last ?? null
  }
}

/** Receipt of the first record of each class, epoch milliseconds; `null`: none. */
export function firstOfEachClass({ raw }: Connection, accountRow: number): Record<RetentionClass, number | null> {
  const submission = raw.query<{ at: number | null }, [number, Status]>(
    'SELECT min(received_at) AS at FROM submission_fact WHERE account_row = ? AND status = ?',
  )
  const event = raw.query<{ at: number }, [number, number]>(
    'SELECT received_at AS at FROM ledger WHERE account_row = ? AND kind = ? ORDER BY sequence LIMIT 1',
  )
  const events = eventKinds.flatMap((kind) => event.get(accountRow, kind)?.at ?? [])
  return {
    submissions: submission.get(accountRow, 'accepted')?.at ?? null,
    events: events.length === 0 ? null : Math.min(...events),
    refused: submission.get(accountRow, 'refused')?.at ?? null,
  }
}
