import { isMost, noRecords, type RetentionCutoffs, retentionClasses } from '../../../processing/retention.ts'
import type { RetentionWait } from '../../../processing/retention-notice.ts'
import type { Connection } from '../connection.ts'
import { entryKinds } from '../ledger-codec.ts'
import { type Expired, expiredRecords, type LookedThrough } from './expired-records.ts'

/** Rows counted at a time: well under a millisecond. */
const pageRows = 2000
const eventKinds = [entryKinds.event, entryKinds.page_view, entryKinds.click]

interface Asked {
  accountRow: number
  cutoffs: RetentionCutoffs
  lookedThrough: LookedThrough
}

/**
 * Whether to delete what was received before the cutoffs would take most of an account's records of a class; `null`: it
 * would not. In steps, since an account may hold millions: what is yielded says only that more is to be counted.
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
    const kept =
      name === 'events'
        ? yield* eventsBehind(connection, asked.accountRow, { after: lastEvent, enough: due.events })
        : submissionsSince(connection, {
            ...asked,
            status: name === 'refused' ? 'refused' : 'accepted',
            enough: due[name],
          })
    if (isMost({ due: due[name], kept })) return { class: name, due: due[name], kept }
  }
  return null
}

/** What has expired, without a mark of how far it was looked through: nothing is deleted yet. */
const unchanged = (connection: Connection, { accountRow, cutoffs, lookedThrough }: Asked): Generator<Expired[]> =>
  expiredRecords(connection, accountRow, {
    ...cutoffs,
    lookedThrough: new Map(lookedThrough),
    underWay: { submissionsTo: 0 },
  })

/** Those that expire first were committed first, but for a moment: what is kept stands behind them. */
function* eventsBehind(
  { raw }: Connection,
  accountRow: number,
  { after, enough }: { after: number; enough: number },
): Generator<Expired[], number> {
  const page = raw.query<{ rows: number; last: number | null }, [number, number, number]>(
    `SELECT count(*) AS rows, max(sequence) AS last FROM (
       SELECT sequence FROM ledger WHERE account_row = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ${pageRows})`,
  )
  let kept = 0
  for (const kind of eventKinds) {
    for (let from: number | null = after; from !== null && kept < enough; ) {
      const counted: { rows: number; last: number | null } | null = page.get(accountRow, kind, from)
      kept += counted?.rows ?? 0
      from = counted?.last ?? null
      yield []
    }
  }
  return kept
}

function submissionsSince(
  { raw }: Connection,
  { accountRow, cutoffs, status, enough }: Asked & { status: 'accepted' | 'refused'; enough: number },
): number {
  const cutoff = status === 'refused' ? cutoffs.refused : (cutoffs.submissions ?? 0)
  const found = raw
    .query<{ kept: number }, [number, string, number, number]>(
      `SELECT count(*) AS kept FROM (
         SELECT 1 FROM submission_fact WHERE account_row = ? AND status = ? AND received_at >= ? LIMIT ?)`,
    )
    .get(accountRow, status, cutoff, enough)
  return found?.kept ?? 0
}
