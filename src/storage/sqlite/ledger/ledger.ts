import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import type { Entry, EntryKind } from '../../../ledger/entry.ts'
import type { Ledger, LedgerQuery, LedgerRow } from '../../../ledger/ledger.ts'
import type { Connection } from '../database/connection.ts'
import { ascending, reading } from '../database/damage.ts'
import { storedAccountRow } from '../lookup/account-row.ts'
import { ledger } from '../schema/ledger-schema.ts'
import { decodedRows, encodeEntries, entryKinds } from './ledger-codec.ts'
import { firstSequenceFrom } from './receipt-hours.ts'

const allKinds = Object.keys(entryKinds) as EntryKind[]

/** Makes lines of `encodeEntries` durable, as `Ledger` says. */
interface Committing {
  append(lines: string[]): Promise<void>
  appendSoon(lines: string[]): Promise<void>
}

/** The ledger in SQLite: written by group commit, read on a connection that never waits for writes. */
export class SqliteLedger implements Ledger {
  constructor(
    private readonly reader: Connection,
    private readonly groupCommit: Committing,
  ) {}

  append(entries: Entry[]): Promise<void> {
    return this.groupCommit.append(encodeEntries(entries))
  }

  appendSoon(entries: Entry[]): Promise<void> {
    return this.groupCommit.appendSoon(encodeEntries(entries))
  }

  async readAfter(query: LedgerQuery): Promise<LedgerRow[]> {
    // One transaction: a row committed between the reads of two kinds must not be skipped by the cursor.
    return reading(this.reader, () => {
      const accountRow = storedAccountRow(this.reader, query.accountId)
      if (accountRow === null) return []
      const after = this.beginning(query)
      const rows = (query.kinds ?? allKinds)
        .flatMap((kind) => this.rowsOfKind(accountRow, kind, { ...query, after }))
        .sort((one, other) => one.sequence - other.sequence)
        .slice(0, query.limit)
      return decodedRows(ascending(rows, Number(after)), query.accountId)
    })
  }

  /** The cursor to start after. A continued read has already skipped older rows. */
  private beginning({ after, receivedFrom }: LedgerQuery): string | null {
    if (after !== null || receivedFrom === undefined) return after
    const first = firstSequenceFrom(this.reader, receivedFrom)
    return Number.isFinite(first) ? String(first - 1) : String(Number.MAX_SAFE_INTEGER)
  }

  /** The index starts with the kind: reading one kind at a time never sorts, however many rows there are. */
  private rowsOfKind(accountRow: number, kind: EntryKind, query: LedgerQuery) {
    const { after, receivedFrom, receivedBefore } = query
    return this.reader.db
      .select()
      .from(ledger)
      .where(
        and(
          eq(ledger.accountRow, accountRow),
          eq(ledger.kind, entryKinds[kind]),
          after === null ? undefined : gt(ledger.sequence, Number(after)),
          receivedFrom === undefined ? undefined : gte(ledger.receivedAt, receivedFrom),
          receivedBefore === undefined ? undefined : lt(ledger.receivedAt, receivedBefore),
        ),
      )
      .orderBy(asc(ledger.sequence))
      .limit(query.limit)
      .all()
  }
}
