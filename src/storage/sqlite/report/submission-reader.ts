import { and, eq } from 'drizzle-orm'
import { type Form, replyByDefault } from '../../../account/form.ts'
import { type Cursor, type LedgerRow, UnreadableEntry } from '../../../ledger/ledger.ts'
import type { StoredSubmission, SubmissionQuery, SubmissionReader } from '../../../report/submission-reader.ts'
import { account, form } from '../account/account-schema.ts'
import type { Connection } from '../database/connection.ts'
import { entryColumns } from '../ledger/entry-columns.ts'
import { decodedRows, decodeEntry, entryKinds } from '../ledger/ledger-codec.ts'
import { reading, unlessDamaged } from '../salvage/damage.ts'
import { LedgerRows, type StoredRow } from '../salvage/ledger-row.ts'
import { arrivedSince } from './arrived-since.ts'

/** A submission's place in the list. */
type Place = Pick<StoredRow, 'id' | 'receivedAt' | 'sequence'>

interface Page extends Omit<SubmissionQuery, 'behind'> {
  /** After this row, in the order of the list; `null`: from the latest on. */
  behind: Pick<Place, 'receivedAt' | 'sequence'> | null
}

const behindOf = ({ behind }: SubmissionQuery): Page['behind'] =>
  behind && { receivedAt: behind.receivedAt, sequence: Number(behind.cursor) }

const accepted = "fact.status = 'accepted'"
const released = "fact.status = 'refused' AND fact.released_at IS NOT NULL"
const refused = "fact.status = 'refused' AND fact.released_at IS NULL"

/** Selections of an account's submissions, in parts that an index has in the order of the list. */
const partsOf = { all: [accepted, released, refused], accepted: [accepted, released], refused: [refused] }

/** Of `submission_fact fact`: since `?2`, after the place `?3`, `?4`, at most so many, latest first. */
const onPage = (isPart: string): string => `fact.account_row = ?1 AND ${isPart} AND fact.received_at >= ?2
    AND (fact.received_at, fact.sequence) < (?3, ?4)
  ORDER BY fact.received_at DESC, fact.sequence DESC LIMIT ?5`

/** Submissions in SQLite, on a connection that never waits for the writer. */
export class SqliteSubmissionReader implements SubmissionReader {
  constructor(private readonly reader: Connection) {}

  async latest(query: SubmissionQuery): Promise<LedgerRow[]> {
    const accountRow = this.accountRow(query.accountId)
    if (accountRow === null) return []
    return reading(this.reader, () => {
      const read: LedgerRow[] = []
      // Fewer rows than asked for mean the end; rows left out are made up for.
      for (let behind = behindOf(query); ; ) {
        const limit = query.limit - read.length
        const { rows, places } = this.readableRows(accountRow, { ...query, limit, behind })
        read.push(...decodedRows(rows, query))
        behind = places.at(-1) ?? null
        if (places.length < limit || read.length === query.limit) return read
      }
    })
  }

  async arrived(accountId: string, after: Cursor | null): Promise<{ rows: LedgerRow[]; cursor: Cursor }> {
    return arrivedSince(this.reader, accountId, after)
  }

  async find(accountId: string, id: string): Promise<StoredSubmission | null> {
    const accountRow = this.accountRow(accountId)
    if (accountRow === null) return null
    const found = unlessDamaged(
      () => this.stored(accountRow, id),
      (cause) => {
        throw new UnreadableEntry(id, 'unreadable', { cause })
      },
    )
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
    const accountRow = this.accountRow(accountId)
    if (accountRow === null) return null
    const found = this.reader.db
      .select({ definition: form.definition, createdAt: form.createdAt })
      .from(form)
      .where(and(eq(form.accountRow, accountRow), eq(form.id, formId), eq(form.version, version)))
      .get()
    return found
      ? { form: { ...replyByDefault, ...found.definition, id: formId, version }, publishedAt: found.createdAt }
      : null
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

  /** Where the ledger is damaged, the readable rows of submissions known to processing. */
  private readableRows(accountRow: number, page: Page): { rows: StoredRow[]; places: Place[] } {
    const { onUnreadable } = page
    const joined = () => {
      const rows = this.latestOf(page, (isPart) => this.rows(accountRow, isPart, page))
      return { rows, places: rows }
    }
    if (onUnreadable === undefined) return joined()
    return unlessDamaged(joined, () => {
      const ledgerRows = new LedgerRows(this.reader)
      const places = this.latestOf(page, (isPart) => this.places(accountRow, isPart, page))
      const rows = places.flatMap(({ sequence, id }) => {
        const row = ledgerRows.at(sequence)
        if (typeof row === 'object') return [row]
        onUnreadable({ fault: 'unreadable', id })
        return []
      })
      return { rows, places }
    })
  }

  private latestOf<P extends Place>(page: Page, read: (isPart: string) => P[]): P[] {
    // One by one, in the order of the index, so that only shown rows are sorted.
    return partsOf[page.which]
      .flatMap(read)
      .sort((one, other) => other.receivedAt - one.receivedAt || other.sequence - one.sequence)
      .slice(0, page.limit)
  }

  private rows(accountRow: number, isPart: string, page: Page): StoredRow[] {
    return this.reader.raw
      .query<StoredRow, PlaceValues>(
        `SELECT ${entryColumns} FROM submission_fact fact JOIN ledger ON ledger.sequence = fact.sequence
         WHERE ${onPage(isPart)}`,
      )
      .all(...valuesOf(accountRow, page))
  }

  private places(accountRow: number, isPart: string, page: Page): Place[] {
    return this.reader.raw
      .query<Place, PlaceValues>(
        `SELECT fact.id, fact.received_at AS receivedAt, fact.sequence FROM submission_fact fact WHERE ${onPage(isPart)}`,
      )
      .all(...valuesOf(accountRow, page))
  }

  private accountRow(accountId: string): number | null {
    const found = this.reader.db.select({ row: account.row }).from(account).where(eq(account.id, accountId)).get()
    return found?.row ?? null
  }
}

type PlaceValues = [accountRow: number, since: number, behindAt: number, behindSequence: number, limit: number]

const valuesOf = (accountRow: number, { since, behind, limit }: Page): PlaceValues => [
  accountRow,
  since ?? Number.MIN_SAFE_INTEGER,
  behind?.receivedAt ?? Number.MAX_SAFE_INTEGER,
  behind?.sequence ?? 0,
  limit,
]
