import type { Database } from 'bun:sqlite'
import type { SubmissionChoice, SubmissionQuery, WorkState } from '../../../report/submission-reader.ts'
import { andThen } from '../lookup/many-keys.ts'
import { releasedSubmissions } from '../lookup/submission-trees.ts'

/** Where a submission stands in the list: by receipt, then by commit. */
export interface RowPlace {
  sequence: number
  /** Epoch milliseconds. */
  receivedAt: number
}

export interface PlacesWanted extends Pick<SubmissionQuery, 'which' | 'since' | 'form' | 'state'> {
  accountRow: number
  /** Behind this one, in the order of the list; `null`: from the latest on. */
  behind: RowPlace | null
  limit: number
}

/**
 * The next places of an account's submissions, latest first, and whether each is of the wanted ones: of a rare state
 * there may be none among many. Reads indexes alone, so many places cost less than a few records.
 */
export function nextPlaces(raw: Database, wanted: PlacesWanted): (RowPlace & { isWanted: 0 | 1 })[] {
  const { accountRow, since, behind, limit, form = null, state = null } = wanted
  return raw.query<RowPlace & { isWanted: 0 | 1 }, PlaceValues>(placesQuery(wanted)).all({
    accountRow,
    since: since ?? Number.MIN_SAFE_INTEGER,
    behindAt: behind?.receivedAt ?? Number.MAX_SAFE_INTEGER,
    behindSequence: behind?.sequence ?? 0,
    limit,
    form,
    state,
  })
}

type PlaceValues = {
  accountRow: number
  since: number
  behindAt: number
  behindSequence: number
  limit: number
  form: string | null
  state: WorkState | null
}

interface Part {
  from: string
  condition: string
}

const accepted = { from: 'submission_fact fact', condition: `fact.status = 'accepted'` }
const released = { from: releasedSubmissions, condition: 'fact.released_at IS NOT NULL' }
const refused = { from: 'submission_fact fact', condition: `fact.status = 'refused' AND fact.released_at IS NULL` }

/** An account's submissions in parts, each of which an index has in the order of the list. */
const partsOf: Record<SubmissionChoice, Part[]> = {
  all: [accepted, released, refused],
  accepted: [accepted, released],
  refused: [refused],
}

function placesQuery({ which, form, state }: Pick<PlacesWanted, 'which' | 'form' | 'state'>): string {
  const isOfForm = form === undefined ? '' : 'AND fact.form_id = $form'
  if (state === 'seen' || state === 'done') return placesByState(which, isOfForm)
  const isWanted =
    state === 'new' ? 'NOT EXISTS (SELECT 1 FROM submission_state state WHERE state.sequence = fact.sequence)' : '1'
  // SQLite merges the parts, which are in order, and reads no more of each than the page takes.
  const parts = partsOf[which].map(
    ({ from, condition }) => `SELECT fact.sequence, fact.received_at AS receivedAt, ${isWanted} AS isWanted FROM ${from}
      WHERE fact.account_row = $accountRow ${isOfForm} AND ${condition} AND ${onPage('fact')}`,
  )
  return `${parts.join(' UNION ALL ')} ORDER BY receivedAt DESC, sequence DESC LIMIT $limit`
}

/** Somebody worked on these one by one, so they may be few among many. */
const placesByState = (which: SubmissionChoice, isOfForm: string): string => {
  const isOfChoice = partsOf[which].map(({ condition }) => `(${condition})`).join(' OR ')
  return `SELECT state.sequence, state.received_at AS receivedAt, (${isOfChoice}) ${isOfForm} AS isWanted
    FROM submission_state state ${andThen('submission_fact fact')} ON fact.sequence = state.sequence
    WHERE state.account_row = $accountRow AND state.state = $state AND ${onPage('state')}
    ORDER BY state.received_at DESC, state.sequence DESC LIMIT $limit`
}

const onPage = (table: string): string =>
  `${table}.received_at >= $since AND (${table}.received_at, ${table}.sequence) < ($behindAt, $behindSequence)`
