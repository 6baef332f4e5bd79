import {
  isMost,
  noRecords,
  type RetentionClass,
  type RetentionCutoffs,
  retentionClasses,
} from '../../../processing/retention.ts'
import type { RetentionWait } from '../../../processing/retention-notice.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { type Expired, expiredRecords, type LookedThrough } from './expired-records.ts'

/** Rows counted at a time: well under a millisecond. */
const pageRows = 2000
const eventKinds = [entryKinds.event, entryKinds.page_view, entryKinds.click]

interface Asked {
  accountRow: number
  /** The clock's time, epoch milliseconds. */
  now: number
  cutoffs: RetentionCutoffs
  lookedThrough: LookedThrough
}

/**
 * Whether deleting what was received before the cutoffs would take most of an account's records of a class; `null`: no.
 * In steps, since an account may have millions: each yield only means that counting continues.
 */
export function* mostOfAccount(connection: Connection, asked: Asked): Generator<Expired[], RetentionWait | null> {
  const due = noRecords()
  let lastEvent = 0
  for (const found of unchanged(connection, asked)) {
    for (const expired of found) {
      due[expired.class]++
      if (expired.class === 'events') lastEvent = Math.max(lastEvent, expired.sequence)
    }
    yield []
  }
  for (const name of retentionClasses) {
    if (!isMost({ due: due[name], kept: 0 })) continue
    let kept = 0
    for (const page of keptPages(connection, asked, { class: name, lastEvent })) {
      kept += page
      if (!isMost({ due: due[name], kept })) break
      yield []
    }
    if (isMost({ due: due[name], kept })) return { class: name, due: due[name], kept, also: { ...due, [name]: 0 } }
  }
  return null
}

/** What has expired, without remembering progress: nothing is deleted yet. */
const unchanged = (connection: Connection, { accountRow, now, cutoffs, lookedThrough }: Asked): Generator<Expired[]> =>
  expiredRecords(connection, accountRow, {
    ...cutoffs,
    now,
    lookedThrough: new Map(lookedThrough),
    underWay: { submissionsTo: 0 },
  })

/** How many records of the class would stay, page by page. */
function* keptPages(
  { raw }: Connection,
  { accountRow, cutoffs }: Asked,
  { class: name, lastEvent }: { class: RetentionClass; lastEvent: number },
): Generator<number> {
  if (name === 'events') {
    // Records expire almost in order of commit: those that stay come last.
    const page = raw.query<Page, [number, number, number]>(
      pageOf('sequence AS at', 'ledger WHERE account_row = ? AND kind = ? AND sequence > ?'),
    )
    for (const kind of eventKinds) yield* pages((from) => page.get(accountRow, kind, from), lastEvent)
    return
  }
  const page = raw.query<Page, [number, string, number]>(
    pageOf('received_at AS at', 'submission_fact WHERE account_row = ? AND status = ? AND received_at > ?'),
  )
  const [status, cutoff] = name === 'refused' ? ['refused', cutoffs.refused] : ['accepted', cutoffs.submissions ?? 0]
  yield* pages((from) => page.get(accountRow, status, from), cutoff - 1)
}

interface Page {
  rows: number
  last: number | null
}

const pageOf = (column: string, rows: string): string =>
  `SELECT count(*) AS rows, max(at) AS last FROM (SELECT ${column} FROM ${rows} ORDER BY at LIMIT ${pageRows})`

function* pages(read: (from: number) => Page | null, first: number): Generator<number> {
  for (let page = read(first); page !== null && page.last !== null; page = read(page.last)) yield page.rows
}
