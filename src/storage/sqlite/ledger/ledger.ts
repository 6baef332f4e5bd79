import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import type { Entry, EntryKind } from '../../../ledger/entry.ts'
import type { Ledger, LedgerQuery, LedgerRow } from '../../../ledger/ledger.ts'
import type { GroupCommit } from '../commit/group-commit.ts'
import type { Connection } from '../database/connection.ts'
import { storedAccountRow } from '../lookup/account-row.ts'
import { reading, unlessDamaged } from '../salvage/damage.ts'
import { assertAscending } from '../salvage/ledger-numbers.ts'
import { assertWhole, type StoredRow } from '../salvage/ledger-row.ts'
import { salvagedRows } from '../salvage/ledger-salvage.ts'
import { ledger } from '../schema/ledger-schema.ts'
import { decodedRows, encodeEntries, entryKinds } from './ledger-codec.ts'
import { firstSequenceFrom } from './receipt-hours.ts'

const allKinds = Object.keys(entryKinds) as EntryKind[]

/** The ledger in SQLite: written by group commit, read on a connection that never waits for writes. */
export class SqliteLedger implements Ledger {
  constructor(
    private readonly reader: Connection,
    private readonly groupCommit: GroupCommit,
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
      const read: LedgerRow[] = []
      // Fewer rows than asked for mean the end; rows left out are made up for.
      for (let after = this.beginning(query); ; ) {
        const limit = query.limit - read.length
        const rows = this.readableRows(accountRow, { ...query, after, limit })
        read.push(...decodedRows(rows, query))
        after = String(rows.at(-1)?.sequence ?? after)
        if (rows.length < limit || read.length === query.limit) return read
      }
    })
  }

  /** The cursor to start after. A continued read has already skipped older rows. */
  private beginning({ after, receivedFrom }: LedgerQuery): string | null {
    if (after !== null || receivedFrom === undefined) return after
    const first = firstSequenceFrom(this.reader, receivedFrom)
    return Number.isFinite(first) ? String(first - 1) : String(Number.MAX_SAFE_INTEGER)
  }

  /** Reads row by row where the file is damaged, to get past the damage. */
  private readableRows(accountRow: number, query: LedgerQuery): StoredRow[] {
    const { onUnreadable, after, kinds = allKinds, ...limits } = query
    if (onUnreadable === undefined) return this.rowsOfKinds(accountRow, query)
    const salvaged = () =>
      salvagedRows(this.reader, {
        ...limits,
        accountRow,
        kinds: kinds.map((kind) => entryKinds[kind]),
        after: Number(after),
        onMissing: onUnreadable,
      })
    return unlessDamaged(() => this.rowsOfKinds(accountRow, query), salvaged)
  }

  private rowsOfKinds(accountRow: number, query: LedgerQuery): StoredRow[] {
    const rows = (query.kinds ?? allKinds)
      .flatMap((kind) => this.rowsOfKind(accountRow, kind, query))
      .sort((one, other) => one.sequence - other.sequence)
      .slice(0, query.limit)
    assertAscending(rows, Number(query.after))
    assertWhole(rows)
    return rows
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
