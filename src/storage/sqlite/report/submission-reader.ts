import { and, desc, eq, gte, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { type Form, replyByDefault } from '../../../account/form.ts'
import { type LedgerRow, UnreadableEntry } from '../../../ledger/ledger.ts'
import type { StoredSubmission, SubmissionQuery, SubmissionReader } from '../../../report/submission-reader.ts'
import { account, form } from '../account/account-schema.ts'
import type { Connection } from '../database/connection.ts'
import { decodedRows, decodeEntry, entryKinds } from '../ledger/ledger-codec.ts'
import { ledger } from '../ledger/ledger-schema.ts'
import { submissionFact } from '../processing/fact-schema.ts'
import { reading, unlessDamaged } from '../salvage/damage.ts'
import { LedgerRows, type StoredRow } from '../salvage/ledger-row.ts'

/** Written out: the index by id is a partial one, and not used for a parameter. */
const isSubmission = sql`${ledger.kind} = ${sql.raw(String(entryKinds.submission))}`

/** Where a submission stands in the list. */
type Place = Pick<StoredRow, 'id' | 'receivedAt' | 'sequence'>

interface Page extends Omit<SubmissionQuery, 'behind'> {
  /** Behind this row, in the order of the list; `null`: from the latest on. */
  behind: Pick<Place, 'receivedAt' | 'sequence'> | null
}

const behindOf = ({ behind }: SubmissionQuery): Page['behind'] =>
  behind && { receivedAt: behind.receivedAt, sequence: Number(behind.cursor) }

const latestFirst = [desc(submissionFact.receivedAt), desc(submissionFact.sequence)]

const isOnPage = (accountRow: number, kept: SQL | undefined, { since, behind }: Page): SQL | undefined =>
  and(
    eq(submissionFact.accountRow, accountRow),
    kept,
    since === null ? undefined : gte(submissionFact.receivedAt, since),
    behind === null
      ? undefined
      : sql`(${submissionFact.receivedAt}, ${submissionFact.sequence}) < (${behind.receivedAt}, ${behind.sequence})`,
  )

/** Submissions in SQLite, through a connection that never waits for the writer. */
export class SqliteSubmissionReader implements SubmissionReader {
  constructor(private readonly reader: Connection) {}

  async latest(query: SubmissionQuery): Promise<LedgerRow[]> {
    const accountRow = this.accountRow(query.accountId)
    if (accountRow === null) return []
    return reading(this.reader, () => {
      const read: LedgerRow[] = []
      // Only the end answers with fewer rows than asked for: what is left out is made up for.
      for (let behind = behindOf(query); ; ) {
        const limit = query.limit - read.length
        const { rows, places } = this.readableRows(accountRow, { ...query, limit, behind })
        read.push(...decodedRows(rows, query))
        behind = places.at(-1) ?? null
        if (places.length < limit || read.length === query.limit) return read
      }
    })
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
    return this.reader.db
      .select({ entry: ledger, releasedAt: submissionFact.releasedAt })
      .from(ledger)
      .leftJoin(submissionFact, eq(submissionFact.sequence, ledger.sequence))
      .where(and(eq(ledger.accountRow, accountRow), isSubmission, eq(ledger.id, id)))
      .get()
  }

  /** Where the ledger is damaged, the rows that can be read of those that processing knows. */
  private readableRows(accountRow: number, page: Page): { rows: StoredRow[]; places: Place[] } {
    const { onUnreadable } = page
    const joined = () => {
      const rows = this.latestOf(page, (kept) => this.rows(accountRow, kept, page))
      return { rows, places: rows }
    }
    if (onUnreadable === undefined) return joined()
    return unlessDamaged(joined, () => {
      const ledgerRows = new LedgerRows(this.reader)
      const places = this.latestOf(page, (kept) => this.places(accountRow, kept, page))
      const rows = places.flatMap(({ sequence, id }) => {
        const row = ledgerRows.at(sequence)
        if (typeof row === 'object') return [row]
        onUnreadable({ fault: 'unreadable', id })
        return []
      })
      return { rows, places }
    })
  }

  private latestOf<P extends Place>(page: Page, read: (kept: SQL | undefined) => P[]): P[] {
    const accepted = eq(submissionFact.status, 'accepted')
    const released = and(eq(submissionFact.status, 'refused'), isNotNull(submissionFact.releasedAt))
    const refused = and(eq(submissionFact.status, 'refused'), isNull(submissionFact.releasedAt))
    // One by one, as the index has them: so nothing is sorted that is not shown.
    const wanted = { all: [accepted, released, refused], accepted: [accepted, released], refused: [refused] }[
      page.which
    ]
    return wanted
      .flatMap(read)
      .sort((one, other) => other.receivedAt - one.receivedAt || other.sequence - one.sequence)
      .slice(0, page.limit)
  }

  private rows(accountRow: number, kept: SQL | undefined, page: Page): StoredRow[] {
    return this.reader.db
      .select({ entry: ledger })
      .from(submissionFact)
      .innerJoin(ledger, eq(ledger.sequence, submissionFact.sequence))
      .where(isOnPage(accountRow, kept, page))
      .orderBy(...latestFirst)
      .limit(page.limit)
      .all()
      .map(({ entry }) => entry)
  }

  private places(accountRow: number, kept: SQL | undefined, page: Page): Place[] {
    const { id, receivedAt, sequence } = submissionFact
    return this.reader.db
      .select({ id, receivedAt, sequence })
      .from(submissionFact)
      .where(isOnPage(accountRow, kept, page))
      .orderBy(...latestFirst)
      .limit(page.limit)
      .all()
  }

  private accountRow(accountId: string): number | null {
    const found = this.reader.db.select({ row: account.row }).from(account).where(eq(account.id, accountId)).get()
    return found?.row ?? null
  }
}
