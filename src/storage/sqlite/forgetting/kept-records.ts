import type { RetentionStore } from '../../../processing/forgetting/retention-store.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'

/** Rows counted at a time: well under a millisecond. */
const pageRows = 2000
const eventKinds = [entryKinds.event, entryKinds.page_view, entryKinds.click]

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
  `SELECT count(*) AS rows, max(at) AS last FROM (SELECT ${column} FROM ${rows} ORDER BY at LIMIT ${pageRows})`

function* pages(read: (from: number) => Page | null, first: number): Generator<number> {
  for (let page = read(first); page !== null && page.last !== null; page = read(page.last)) yield page.rows
}
