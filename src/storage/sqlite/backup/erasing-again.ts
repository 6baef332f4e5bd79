import type { ErasureEntry } from '../../../ledger/decision.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { ErasedAgain } from '../../../operations/backup/backup-ports.ts'
import { erasureQuery } from '../../../operations/erasure/erase.ts'
import type { ErasureCounts } from '../../../processing/erasure.ts'
import { statedEmail } from '../../../processing/person/tie-to-person.ts'
import { SqliteSigningKeyStore } from '../account/signing-key-store.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { DatabaseFile } from '../forgetting/database-file.ts'
import { ErasedRemoval } from '../forgetting/erased-removal.ts'
import { noCounts, processToHere, SqliteErasure } from '../forgetting/erasure.ts'
import { allErasures, LoggedErasure } from '../forgetting/erasure-log.ts'
import { clearResidue, emptyLog } from '../forgetting/residue.ts'
import { capturedKinds, type EntryRow, readableEntry } from '../ledger/ledger-codec.ts'
import { appendDecision } from '../ledger/receipt-hours.ts'
import { accountRowOf, noSettings, storedAccountRow } from '../lookup/account-row.ts'
import { underivedDevices } from '../refolding/stale-kind.ts'
import { SqliteProcessing } from '../steps/processing.ts'

/**
 * Takes over erasures that a database does not know, and carries them out in it together with those of which it still has
 * something: increments only add to a base (docs/backup-and-restore.md).
 *
 * An erasure names ids and no address. The database itself tells whose the ids are; that address is erased by all rules of an
 * erasure. Records that belong to nobody known, and those that were erased alone, are removed by their ids.
 */
export async function eraseAgain(file: string, clock: Clock, log: readonly ErasureEntry[]): Promise<ErasedAgain> {
  const connection = openConnection(file)
  const bytes = new DatabaseFile(file)
  try {
    const signingKeys = await SqliteSigningKeyStore.open(connection, clock)
    return await new ErasingAgain(connection, bytes, clock, signingKeys).run(log)
  } finally {
    bytes.close()
    connection.raw.close()
  }
}

class ErasingAgain {
  private readonly processing: SqliteProcessing
  private readonly erasure: SqliteErasure

  constructor(
    private readonly connection: Connection,
    private readonly file: DatabaseFile,
    private readonly clock: Clock,
    readonly signingKeys: SqliteSigningKeyStore,
  ) {
    this.processing = new SqliteProcessing(connection, clock, () => false)
    this.erasure = new SqliteErasure(connection, file, clock, this.processing)
  }

  async run(log: readonly ErasureEntry[]): Promise<ErasedAgain> {
    const open = this.takeOver(log)
    const erased = { erasures: countErasures(log, open), records: 0, verified: true }
    for (const [accountId, entries] of Map.groupBy(open, (entry) => entry.accountId)) {
      const accountRow = accountRowOf(this.connection, accountId)
      if (accountRow === null) continue
      const records = entries.flatMap((entry) => entry.records)
      const persons = entries.flatMap(({ personId }) => personId ?? [])
      const theirs = entries.flatMap((entry) => (entry.of === 'person' ? entry.records : []))
      for (const email of await this.addressesOf(accountRow, accountId, { persons, records: theirs })) {
        const receipt = await this.erasure.erase(await erasureQuery(this, { accountId, email }))
        erased.records += recordCount(receipt)
        if (!receipt.verified) erased.verified = false
      }
      erased.records += recordCount(await this.eraseRecords(accountRow, accountId, records))
    }
    return { ...erased, notDerived: underivedDevices(this.connection).reduce((sum, { count }) => sum + count, 0) }
  }

  /** Answers what is still to be erased. */
  private takeOver(log: readonly ErasureEntry[]): ErasureEntry[] {
    const unknown = unknownErasures(log, allErasures(this.connection.raw))
    carryErasures(this.connection, unknown)
    const open = new Set([...unknown, ...this.undone(log)])
    return log.filter((entry) => open.has(entry))
  }

  /** Erasures whose records or persons are there all the same. */
  private undone(log: readonly ErasureEntry[]): ErasureEntry[] {
    return [...Map.groupBy(log, ({ accountId }) => accountId)].flatMap(([accountId, entries]) => {
      const accountRow = accountRowOf(this.connection, accountId)
      if (accountRow === null) return []
      const records = entries.flatMap((entry) => entry.records)
      const persons = entries.flatMap(({ personId }) => personId ?? [])
      const there = new Set(
        [...this.rowsOf(accountRow, records), ...this.personsOf(accountRow, persons)].map(({ id }) => id),
      )
      return entries.filter(({ personId, records }) => [personId ?? '', ...records].some((id) => there.has(id)))
    })
  }

  /** The addresses of the persons, and those that the records name as their senders'. */
  private async addressesOf(
    accountRow: number,
    accountId: string,
    { persons, records }: { persons: string[]; records: string[] },
  ): Promise<Set<string>> {
    const { connection, clock, processing } = this
    await processToHere({ connection, clock, processing })
    const known = this.personsOf(accountRow, persons).map(({ email }) => email)
    return new Set([...known, ...this.rowsOf(accountRow, records).flatMap((row) => senderOf(row, accountId) ?? [])])
  }

  /** Removes the records that are there, and logs that as an erasure. */
  private async eraseRecords(accountRow: number, accountId: string, records: string[]): Promise<ErasureCounts> {
    const { connection, file, clock } = this
    const counts = noCounts()
    const rows = this.rowsOf(accountRow, records)
    if (rows.length === 0) return counts
    const log = new LoggedErasure(connection, clock, { accountId, personId: null, of: 'records' })
    const removal = new ErasedRemoval(connection, clock)
    await removal.removeAll(rows, { counts, log, isAlone: true })
    await removal.finish(accountRow, [log])
    await clearResidue(connection, file, () => emptyLog(connection, clock))
    return counts
  }

  private personsOf(accountRow: number, persons: string[]): { id: string; email: string }[] {
    return this.connection.raw
      .query<{ id: string; email: string }, [number, string]>(
        'SELECT id, email FROM person WHERE account_row = ? AND id IN (SELECT value FROM json_each(?))',
      )
      .all(accountRow, JSON.stringify(persons))
  }

  private rowsOf(accountRow: number, records: string[]): (EntryRow & { sequence: number })[] {
    return this.connection.raw
      .query<EntryRow & { sequence: number }, [number, string]>(
        `SELECT sequence, kind, id, received_at AS receivedAt, record, checksum FROM ledger
         WHERE account_row = ? AND kind IN (${capturedKinds}) AND id IN (SELECT value FROM json_each(?))`,
      )
      .all(accountRow, JSON.stringify(records))
  }
}

const recordCount = ({ submissions, events, pageViews, clicks }: ErasureCounts): number =>
  submissions + events + pageViews + clicks

/** An erasure of a person never takes a record that another one sent, so the sender of an erased record is the erased person. */
function senderOf(row: EntryRow, accountId: string): string | null {
  const entry = readableEntry(row, accountId)
  return entry && statedEmail(entry)
}

/** Without them in its log, the next restore would erase too little. Erases nothing. */
function carryErasures(restored: Connection, unknown: readonly ErasureEntry[]): void {
  writeTransaction(restored, () => {
    for (const entry of unknown) {
      const accountRow = storedAccountRow(restored, entry.accountId) ?? addAbsentAccount(restored, entry.accountId)
      appendDecision(restored, accountRow, entry)
    }
  })
}

/**
 * An account younger than the backup gets removal time 0, which distinguishes it from those that an operator removed.
 */
function addAbsentAccount({ raw }: Connection, accountId: string): number {
  const added = raw
    .query<{ row: number }, [string]>(
      `INSERT INTO account (id, handle, settings, site_revision, changed_at_revision, created_at, removed_at)
       VALUES (?1, ?1, '${noSettings}', 0, 0, 0, 0) RETURNING row`,
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

/**
 * The number of persons that the entries of `open` erased. A person who was erased again after a restore lost the same records
 * twice and is counted once.
 *
 * @param log all entries of the box that knows most, those included
 */
function countErasures(log: readonly ErasureEntry[], open: readonly ErasureEntry[]): number {
  const takenBy = new Map<string, string>()
  const again = new Map<string, string>()
  const first = (erasureId: string): string => again.get(erasureId) ?? erasureId
  for (const { erasureId, records } of log) {
    for (const id of records) {
      const before = takenBy.get(id)
      if (before === undefined) takenBy.set(id, erasureId)
      else if (before !== erasureId) again.set(erasureId, first(before))
    }
  }
  return new Set(open.map(({ erasureId }) => first(erasureId))).size
}
