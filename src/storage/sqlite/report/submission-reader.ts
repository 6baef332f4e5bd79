import type { Database } from 'bun:sqlite'
import { and, eq } from 'drizzle-orm'
import type { Form } from '../../../account/form.ts'
import type { Submission } from '../../../ledger/entry.ts'
import type { Cursor, LedgerRow } from '../../../ledger/ledger.ts'
import {
  type BesideSubmission,
  countedMax,
  type SearchedSubmissions,
  type StoredSubmission,
  type SubmissionChoice,
  type SubmissionCounts,
  type SubmissionQuery,
  type SubmissionReader,
  type WorkState,
} from '../../../report/submission-reader.ts'
import type { Connection } from '../database/connection.ts'
import { reading, TreeFault } from '../database/damage.ts'
import {
  decodedRows,
  decodeEntry,
  entryColumns,
  entryKinds,
  readableEntry,
  type StoredRow,
} from '../ledger/ledger-codec.ts'
import { storedAccountRow } from '../lookup/account-row.ts'
import { byRow, releasedSubmissions } from '../lookup/ledger-tree.ts'
import { andThen, forEachKey, wholeKey } from '../lookup/many-keys.ts'
import { processedTo } from '../processing/processed-to.ts'
import { form } from '../schema/account-schema.ts'

export class SqliteSubmissionReader implements SubmissionReader {
  constructor(private readonly reader: Connection) {}

  async search(query: SubmissionQuery): Promise<SearchedSubmissions> {
    const accountRow = storedAccountRow(this.reader, query.accountId)
    if (accountRow === null) return { rows: [], looked: 0, last: null }
    return reading(this.reader, () => searchSubmissions(this.reader, accountRow, query))
  }

  async lastReceived(accountId: string, formIds: readonly string[]): Promise<Map<string, number>> {
    const rows = this.reader.raw
      .query<{ form: string; at: number }, [string, string]>(lastReceivedQuery)
      .all(JSON.stringify(formIds), accountId)
    return new Map(rows.map(({ form, at }) => [form, at]))
  }

  async counts(accountId: string): Promise<SubmissionCounts> {
    const accountRow = storedAccountRow(this.reader, accountId) ?? 0
    const found = this.reader.raw.query<SubmissionCounts, { accountRow: number }>(countsQuery).get({ accountRow })
    return found ?? { accepted: 0, new: 0, refused: 0 }
  }

  async arrived(accountId: string, after: Cursor | null): Promise<{ rows: LedgerRow[]; cursor: Cursor }> {
    return arrivedSince(this.reader, accountId, after)
  }

  async beside(accountId: string, id: string): Promise<BesideSubmission> {
    const accountRow = storedAccountRow(this.reader, accountId)
    const place = accountRow === null ? undefined : this.stored(accountRow, id)?.entry
    if (place === undefined) return { newer: null, older: null }
    const { receivedAt, sequence } = place
    const nearest = (query: string): string | null =>
      this.reader.raw.query<{ id: string }, PlaceOfAccount>(query).get({ accountRow, receivedAt, sequence })?.id ?? null
    return { newer: nearest(newerQuery), older: nearest(olderQuery) }
  }

  async byIds(accountId: string, ids: readonly string[]): Promise<Submission[]> {
    const accountRow = storedAccountRow(this.reader, accountId)
    if (accountRow === null) return []
    const found = this.reader.raw.query<StoredRow, [string, number]>(someQuery).all(JSON.stringify(ids), accountRow)
    return found.map((row) => readableEntry(row, accountId)).filter((entry) => entry?.kind === 'submission')
  }

  async find(accountId: string, id: string): Promise<StoredSubmission | null> {
    const accountRow = storedAccountRow(this.reader, accountId)
    if (accountRow === null) return null
    const found = this.stored(accountRow, id)
    if (!found) return null
    const submission = decodeEntry(found.entry, accountId)
    if (submission.kind !== 'submission') return null
    const row = { cursor: String(found.entry.sequence), entry: submission }
    return { row, submission, releasedAt: found.releasedAt }
  }

  async formVersion(
    accountId: string,
    formId: string,
    version: number,
  ): Promise<{ form: Form; publishedAt: number } | null> {
    const accountRow = storedAccountRow(this.reader, accountId)
    if (accountRow === null) return null
    const found = this.reader.db
      .select({ definition: form.definition, createdAt: form.createdAt })
      .from(form)
      .where(and(eq(form.accountRow, accountRow), eq(form.id, formId), eq(form.version, version)))
      .get()
    return found ? { form: { ...found.definition, id: formId, version }, publishedAt: found.createdAt } : null
  }

  private stored(accountRow: number, id: string) {
    // The kind is spelled out: the index by id is partial and not used with a parameter.
    const found = this.reader.raw
      .query<StoredRow & { releasedAt: number | null }, [number, string]>(
        `SELECT ${entryColumns}, fact.released_at AS releasedAt
         FROM ledger LEFT JOIN submission_fact fact ON fact.sequence = ledger.sequence
         WHERE ledger.account_row = ? AND kind = ${entryKinds.submission} AND ledger.id = ?`,
      )
      .get(accountRow, id)
    if (found === null) return null
    const { releasedAt, ...entry } = found
    return { entry, releasedAt }
  }
}

const someQuery = `SELECT ${entryColumns} ${forEachKey('ledger')}
  ON ledger.account_row = ?2 AND kind = ${entryKinds.submission} AND ledger.id = ${wholeKey}`

const lastOf = (status: string): string => `(SELECT max(received_at) FROM submission_fact
  WHERE account_row = account.row AND form_id = ${wholeKey} AND status = '${status}')`

/** A look into the index for each form and status. */
const lastReceivedQuery = `SELECT form, max(coalesce(accepted, 0), coalesce(refused, 0)) AS at FROM (
    SELECT ${wholeKey} AS form, ${lastOf('accepted')} AS accepted, ${lastOf('refused')} AS refused
    ${forEachKey('account')} ON account.id = ?2)
  WHERE accepted IS NOT NULL OR refused IS NOT NULL`

/** Submissions answered at once; those behind them are for the next time. */
const rowsMax = 100

/** By their numbers, between the last look and what is processed by now: a few rows, whatever the account holds. */
const arrivedQuery = `SELECT ${entryColumns}
  FROM ${byRow('submission_fact fact')} JOIN ledger ON ledger.sequence = fact.sequence
  WHERE fact.sequence > ? AND fact.sequence <= ? AND fact.account_row = (SELECT row FROM account WHERE id = ?)
  ORDER BY fact.sequence LIMIT ${rowsMax}`

function arrivedSince(
  reader: Connection,
  accountId: string,
  after: Cursor | null,
): { rows: LedgerRow[]; cursor: Cursor } {
  return reading(reader, () => {
    const processed = processedTo(reader)
    if (after === null || processed <= Number(after)) return { rows: [], cursor: String(processed) }
    const rows = reader.raw
      .query<StoredRow, [number, number, string]>(arrivedQuery)
      .all(Number(after), processed, accountId)
    const cursor = rows.length === rowsMax ? (rows.at(-1)?.sequence ?? processed) : processed
    return { rows: decodedRows(rows, accountId), cursor: String(cursor) }
  })
}

/** Looked through at once, in about a millisecond: places where a state is wanted, records where a text is. */
const placesAtOnce = 1000
const recordsAtOnce = 100

/** One look of a search. Call in a reading transaction. */
function searchSubmissions(reader: Connection, accountRow: number, query: SubmissionQuery): SearchedSubmissions {
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
    concat_ws(' ', iif(fact.released_at IS NULL, NULL, 'accepted'), iif(fact.refused_at IS NULL, NULL, 'refused operator'),
      first_touch, last_touch, duplicate_of, page_slug, page_sha256) AS facts
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

/** Where a submission stands in the list: by receipt, then by commit. */
interface RowPlace {
  sequence: number
  receivedAt: number
}

interface PlacesWanted extends Pick<SubmissionQuery, 'which' | 'since' | 'form' | 'state'> {
  accountRow: number
  /** Behind this one, in the order of the list; `null`: from the latest on. */
  behind: RowPlace | null
  limit: number
}

/**
 * The next places of an account's submissions, latest first, and whether each is of the wanted ones: of a rare state
 * there may be none among many. Reads indexes alone, so many places cost less than a few records.
 */
function nextPlaces(raw: Database, wanted: PlacesWanted): (RowPlace & { isWanted: 0 | 1 })[] {
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
  const isWanted = state === 'new' ? isNew : '1'
  // SQLite merges the parts, which are in order, and reads no more of each than the page takes.
  const parts = partsOf[which].map(
    ({ from, condition }) => `SELECT fact.sequence, fact.received_at AS receivedAt, ${isWanted} AS isWanted FROM ${from}
      WHERE fact.account_row = $accountRow ${isOfForm} AND ${condition} AND ${onPage('fact')}`,
  )
  return `${parts.join(' UNION ALL ')} ORDER BY receivedAt DESC, sequence DESC LIMIT $limit`
}

type PlaceOfAccount = { accountRow: number | null; receivedAt: number; sequence: number }

/** Past a place, the nearest of the leads. */
const nearestQuery = (past: '<' | '>', order: 'ASC' | 'DESC'): string => {
  const parts = partsOf.accepted.map(
    ({ from, condition }) => `SELECT fact.sequence, fact.received_at AS receivedAt FROM ${from}
      WHERE fact.account_row = $accountRow AND ${condition}
        AND (fact.received_at, fact.sequence) ${past} ($receivedAt, $sequence)`,
  )
  return `SELECT ledger.id AS id FROM (${parts.join(' UNION ALL ')} ORDER BY receivedAt ${order}, sequence ${order} LIMIT 1) nearest
    JOIN ledger ON ledger.sequence = nearest.sequence`
}

const newerQuery = nearestQuery('>', 'ASC')
const olderQuery = nearestQuery('<', 'DESC')

/** Somebody worked on these one by one, so they may be few among many. */
const placesByState = (which: SubmissionChoice, isOfForm: string): string => {
  const isOfChoice = partsOf[which].map(({ condition }) => `(${condition})`).join(' OR ')
  return `SELECT state.sequence, state.received_at AS receivedAt, (${isOfChoice}) ${isOfForm} AS isWanted
    FROM submission_state state ${andThen('submission_fact fact')} ON fact.sequence = state.sequence
    WHERE state.account_row = $accountRow AND state.state = $state AND ${onPage('state')}
    ORDER BY state.received_at DESC, state.sequence DESC LIMIT $limit`
}

/** Each looks at an index, and no further than the bound. */
const countOf = (choice: SubmissionChoice, condition = '1'): string =>
  partsOf[choice]
    .map(
      (part) => `(SELECT count(*) FROM (SELECT 1 FROM ${part.from}
        WHERE fact.account_row = $accountRow AND ${part.condition} AND ${condition} LIMIT ${countedMax}))`,
    )
    .join(' + ')

const isNew = 'NOT EXISTS (SELECT 1 FROM submission_state state WHERE state.sequence = fact.sequence)'

const countsQuery = `SELECT min(${countOf('accepted')}, ${countedMax}) AS accepted,
  min(${countOf('accepted', isNew)}, ${countedMax}) AS new, ${countOf('refused')} AS refused`

const onPage = (table: string): string =>
  `${table}.received_at >= $since AND (${table}.received_at, ${table}.sequence) < ($behindAt, $behindSequence)`
