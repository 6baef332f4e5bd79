import { and, eq } from 'drizzle-orm'
import { type Form, replyByDefault } from '../../../account/form.ts'
import type { Cursor, LedgerRow } from '../../../ledger/ledger.ts'
import type {
  SearchedSubmissions,
  StoredSubmission,
  SubmissionQuery,
  SubmissionReader,
} from '../../../report/submission-reader.ts'
import type { Connection } from '../database/connection.ts'
import { reading } from '../database/damage.ts'
import { decodedRows, decodeEntry, entryColumns, entryKinds, type StoredRow } from '../ledger/ledger-codec.ts'
import { storedAccountRow } from '../lookup/account-row.ts'
import { byRow } from '../lookup/ledger-tree.ts'
import { forEachKey, wholeKey } from '../lookup/many-keys.ts'
import { processedTo } from '../processing/processed-to.ts'
import { form } from '../schema/account-schema.ts'
import { searchSubmissions } from './submission-search.ts'

/** Submissions in SQLite, on a connection that never waits for the writer. */
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

  async arrived(accountId: string, after: Cursor | null): Promise<{ rows: LedgerRow[]; cursor: Cursor }> {
    return arrivedSince(this.reader, accountId, after)
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
}

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
