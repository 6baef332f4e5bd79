import type { SearchedSubmissions, SubmissionQuery } from '../../../report/submission-reader.ts'
import type { Connection } from '../database/connection.ts'
import { TreeFault } from '../database/damage.ts'
import { decodedRows, entryColumns, type StoredRow } from '../ledger/ledger-codec.ts'
import { andThen, forEachKey, wholeKey } from '../lookup/many-keys.ts'
import { nextPlaces, type RowPlace } from './submission-places.ts'

/** Looked through at once, in about a millisecond: places where a state is wanted, records where a text is. */
const placesAtOnce = 1000
const recordsAtOnce = 100

/** One look of a search. Call in a reading transaction. */
export function searchSubmissions(reader: Connection, accountRow: number, query: SubmissionQuery): SearchedSubmissions {
  const { text } = query
  const { places, isEnd } = lookedThrough(reader, accountRow, query)
  const wanted = places.filter(({ isWanted }) => isWanted === 1)
  const records = recordsAt(reader, wanted).filter((record) => text === undefined || mayHold(record, text))
  const last = isEnd ? undefined : places.at(-1)
  return {
    rows: decodedRows(records, query.accountId),
    looked: places.length,
    last: last === undefined ? null : { receivedAt: last.receivedAt, cursor: String(last.sequence) },
  }
}

type LookedPlace = ReturnType<typeof nextPlaces>[number]

/** As many places as one look takes; without a text, up to the one that makes the page full. */
function lookedThrough(
  { raw }: Connection,
  accountRow: number,
  { behind, ...query }: SubmissionQuery,
): { places: LookedPlace[]; isEnd: boolean } {
  const { text, state, limit } = query
  const plainAtOnce = state === undefined ? limit : placesAtOnce
  const atOnce = text === undefined ? plainAtOnce : recordsAtOnce
  const after = behind && { receivedAt: behind.receivedAt, sequence: Number(behind.cursor) }
  const places = nextPlaces(raw, { ...query, accountRow, behind: after, limit: atOnce })
  const full = text === undefined ? places.filter(({ isWanted }) => isWanted === 1)[limit - 1] : undefined
  if (full === undefined || full === places.at(-1)) return { places, isEnd: places.length < atOnce }
  return { places: places.slice(0, places.indexOf(full) + 1), isEnd: false }
}

/** A record with what a search looks at beside it. */
interface FoundRecord extends StoredRow {
  /** What processing found out about it, as text; empty where that cannot be read. */
  facts: string
}

const recordsQuery = `SELECT ${entryColumns},
    concat_ws(' ', iif(fact.released_at IS NULL, NULL, 'accepted'), first_touch, last_touch, duplicate_of, page_slug, page_sha256) AS facts
  ${forEachKey('ledger')} ON ledger.sequence = ${wholeKey}
  ${andThen('submission_fact fact')} ON fact.sequence = ledger.sequence`

function recordsAt({ raw }: Connection, places: readonly RowPlace[]): FoundRecord[] {
  if (places.length === 0) return []
  const sequences = JSON.stringify(places.map(({ sequence }) => sequence))
  const found = raw.query<FoundRecord, [string]>(recordsQuery).all(sequences)
  // A damaged page may be read as one without the row.
  if (found.length < places.length) throw new TreeFault('the ledger lacks submissions that were processed')
  return found
}

/** Whatever else is shown of a submission may have the text: its person's id is looked up later. */
const mayBeOfAnId = (text: string): boolean => /^[0-9a-f-]*$/.test(text)

/** Whether the text can be in what is shown of the submission: cheaper than to make that of each. */
function mayHold({ id, receivedAt, record, facts }: FoundRecord, text: string): boolean {
  if (mayBeOfAnId(text)) return true
  return `${record} ${facts} ${id} ${new Date(receivedAt).toISOString()}`.toLowerCase().includes(text)
}
