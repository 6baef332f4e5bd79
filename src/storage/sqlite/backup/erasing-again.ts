import type { SigningKeyStore } from '../../../account/signing-key.ts'
import type { ErasureEntry } from '../../../ledger/decision.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { ErasingAgain } from '../../../operations/backup/restore-ports.ts'
import type { ErasureCounts } from '../../../processing/erasure.ts'
import { statedEmail } from '../../../processing/person/tie-to-person.ts'
import { SqliteSigningKeyStore } from '../account/signing-key-store.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { ErasedRemoval } from '../forgetting/erased-removal.ts'
import { noCounts, processToHere, SqliteErasure } from '../forgetting/erasure.ts'
import { allErasures, LoggedErasure } from '../forgetting/erasure-log.ts'
import { DatabaseFile } from '../forgetting/raw-pages.ts'
import { clearResidue, emptyLog } from '../forgetting/residue.ts'
import { capturedKinds, type EntryRow, readableEntry } from '../ledger/ledger-codec.ts'
import { appendDecision } from '../ledger/receipt-hours.ts'
import { accountRowOf, storedAccountRow } from '../lookup/account-row.ts'
import { underivedDevices } from '../refolding/stale-marks.ts'
import { SqliteProcessing } from '../steps/processing.ts'

/** Opens a staged database, which nobody else uses, for erasing. */
export async function openErasing(file: string, clock: Clock): Promise<ErasingAgain> {
  const connection = openConnection(file)
  const signingKeys = await SqliteSigningKeyStore.open(connection, clock)
  return new SqliteErasingAgain({ connection, file: new DatabaseFile(file), clock, signingKeys })
}

interface Opened {
  connection: Connection
  file: DatabaseFile
  clock: Clock
  signingKeys: SigningKeyStore
}

class SqliteErasingAgain implements ErasingAgain {
  readonly erasure: SqliteErasure
  readonly signingKeys: SigningKeyStore
  private readonly processing: SqliteProcessing

  constructor(private readonly opened: Opened) {
    const { connection, file, clock, signingKeys } = opened
    this.processing = new SqliteProcessing(connection, clock, () => false)
    this.erasure = new SqliteErasure(connection, file, clock, this.processing)
    this.signingKeys = signingKeys
  }

  takeOver(log: readonly ErasureEntry[]): ErasureEntry[] {
    const { connection } = this.opened
    const unknown = unknownErasures(log, allErasures(connection.raw))
    carryErasures(connection, unknown)
    const open = new Set([...unknown, ...this.undone(log)])
    return log.filter((entry) => open.has(entry))
  }

  /** Erasures that the log knows, and whose records or persons are there all the same: increments only add to a base. */
  private undone(log: readonly ErasureEntry[]): ErasureEntry[] {
    return [...Map.groupBy(log, ({ accountId }) => accountId)].flatMap(([accountId, entries]) => {
      const accountRow = accountRowOf(this.opened.connection, accountId)
      if (accountRow === null) return []
      const there = new Set([
        ...this.rowsOf(
          accountRow,
          entries.flatMap(({ records }) => records),
        ).map(({ id }) => id),
        ...this.personsOf(
          accountRow,
          entries.flatMap(({ personId }) => personId ?? []),
        ).map(({ id }) => id),
      ])
      return entries.filter(({ personId, records }) => [personId ?? '', ...records].some((id) => there.has(id)))
    })
  }

  async addressesOf(accountId: string, { persons, records }: { persons: string[]; records: string[] }) {
    const accountRow = accountRowOf(this.opened.connection, accountId)
    if (accountRow === null) return []
    const { connection, clock } = this.opened
    await processToHere({ connection, clock, processing: this.processing })
    const known = this.personsOf(accountRow, persons)
    const named = this.rowsOf(accountRow, records).flatMap((row) => senderOf(row, accountId) ?? [])
    return [...new Set([...known.map(({ email }) => email), ...named])]
  }

  async eraseRecords(accountId: string, records: string[]): Promise<ErasureCounts> {
    const { connection, file, clock } = this.opened
    const counts = noCounts()
    const accountRow = accountRowOf(connection, accountId)
    const rows = accountRow === null ? [] : this.rowsOf(accountRow, records)
    if (accountRow === null || rows.length === 0) return counts
    const log = new LoggedErasure(connection, clock, { accountId, personId: null })
    const removal = new ErasedRemoval(connection, clock)
    await removal.removeAll(rows, { counts, log })
    await removal.finish(accountRow, log)
    await clearResidue(connection, file, () => emptyLog(connection, clock))
    return counts
  }

  notDerived(): number {
    return underivedDevices(this.opened.connection).reduce((sum, { count }) => sum + count, 0)
  }

  close(): void {
    this.opened.file.close()
    this.opened.connection.raw.close()
  }

  private personsOf(accountRow: number, persons: string[]): { id: string; email: string }[] {
    return this.opened.connection.raw
      .query<{ id: string; email: string }, [number, string]>(
        'SELECT id, email FROM person WHERE account_row = ? AND id IN (SELECT value FROM json_each(?))',
      )
      .all(accountRow, JSON.stringify(persons))
  }

  private rowsOf(accountRow: number, records: string[]): (EntryRow & { sequence: number })[] {
    return this.opened.connection.raw
      .query<EntryRow & { sequence: number }, [number, string]>(
        `SELECT sequence, kind, id, received_at AS receivedAt, record, checksum FROM ledger
         WHERE account_row = ? AND kind IN (${capturedKinds}) AND id IN (SELECT value FROM json_each(?))`,
      )
      .all(accountRow, JSON.stringify(records))
  }
}

/** An erasure never takes a record that another person sent, so the sender of an erased record is the erased person. */
function senderOf(row: EntryRow, accountId: string): string | null {
  const entry = readableEntry(row, accountId)
  return entry && statedEmail(entry)
}

/**
 * Adds erasures of another copy of the box to the log of a restored database. Without them, the next restore would
 * erase too little. Erases nothing.
 */
function carryErasures(restored: Connection, unknown: readonly ErasureEntry[]): void {
  writeTransaction(restored, () => {
    for (const entry of unknown) carryErasure(restored, entry)
  })
}

function carryErasure(restored: Connection, entry: ErasureEntry): void {
  const accountRow = storedAccountRow(restored, entry.accountId) ?? addAbsentAccount(restored, entry.accountId)
  appendDecision(restored, accountRow, entry)
}

/**
 * An account younger than the backup gets removal time 0, which distinguishes it from those that an operator removed.
 */
function addAbsentAccount({ raw }: Connection, accountId: string): number {
  const added = raw
    .query<{ row: number }, [string]>(
      `INSERT INTO account (id, handle, settings, site_revision, changed_at_revision, created_at, removed_at)
       VALUES (?1, ?1, '{}', 0, 0, 0, 0) RETURNING row`,
    )
    .get(accountId)
  if (added === null) throw new Error('the account of an erasure could not be added')
  return added.row
}

/** Entries that another ledger does not know completely. */
function unknownErasures(there: readonly ErasureEntry[], here: readonly ErasureEntry[]): ErasureEntry[] {
  const known = new Set(here.flatMap(partsOf))
  return there.filter((entry) => partsOf(entry).some((part) => !known.has(part)))
}

/** An erasure that an older backup holds half done has not ended there. */
const partsOf = ({ erasureId, records, isEnd }: ErasureEntry): string[] => [
  ...records.map((id) => `${erasureId} ${id}`),
  ...(isEnd ? [`${erasureId} end`] : []),
]
