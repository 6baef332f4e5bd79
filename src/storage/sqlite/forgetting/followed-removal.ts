import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { type FoundRecord, ownershipOf } from '../persons/own-records.ts'
import type { RemovedPerson } from '../processing/person-rows.ts'
import { processedTo } from '../processing/processed-to.ts'
import type { DatabaseFile } from './database-file.ts'
import { stepMs } from './entry-removal.ts'
import { ErasedRemoval, type RemovalLog } from './erased-removal.ts'
import { noCounts } from './erasure.ts'
import { type ErasureRow, erasureIn } from './erasure-log.ts'
import { ExpiredRemoval } from './expired-removal.ts'
import { releaseLooseStep } from './loose-files.ts'
import { Parting } from './parting.ts'
import { clearResidue, emptyLog } from './residue.ts'

/** Records examined before others get their turn: about 5 ms. */
const pageRows = 2000
/** More than a step has time for. */
const expiredPerStep = 1000

/** What a link of a cluster says of removals. */
export interface LinkedRemovals {
  /** Rows of the ledger; those of erasures are read. */
  rows: readonly ErasureRow[]
  /** Erased ones. */
  persons: readonly RemovedPerson[]
  /** Ledger sequences. */
  expired: readonly number[]
}

interface FollowerParts {
  connection: Connection
  file: DatabaseFile
  clock: Clock
  /** Deletes a content by its SHA-256. */
  removeContent: (sha256: string) => void
}

/**
 * Removes what the leader of a cluster removed, and appends nothing to the ledger: the leader's entries come with the link.
 *
 * Call it before the link is applied, once everything before is processed: the box is then as the leader's was, and whoever
 * comes back after an erasure is a new person here too. Killed anywhere, it is finished by the next call for the same link:
 * a node that has applied a link has erased what it says, and cleared its files.
 */
export class FollowedRemoval {
  private readonly erased: ErasedRemoval
  private readonly expired: ExpiredRemoval
  private readonly parting: Parting

  constructor(private readonly parts: FollowerParts) {
    const { connection, clock } = parts
    this.erased = new ErasedRemoval(connection, clock)
    this.expired = new ExpiredRemoval(connection)
    this.parting = new Parting(connection, clock, this.erased.marks)
  }

  /** Returns whether the files are clear of what was erased: a reader that holds the write-ahead log prevents it. Call again. */
  async remove({ rows, persons, expired }: LinkedRemovals): Promise<boolean> {
    const { connection, file, clock, removeContent } = this.parts
    const named = this.namedIn(rows)
    for (const [accountRow, records] of named) await this.removeRecords(accountRow, records)
    for (const person of persons) await this.removePerson(person)
    await this.expire(expired)
    const accounts = new Set([...named.keys(), ...persons.map(({ accountRow }) => accountRow)])
    for (const accountRow of accounts) await this.erased.finish(accountRow, [])
    if (accounts.size === 0) return true
    while (releaseLooseStep(connection, removeContent) === 'more') await breath()
    await clearResidue(connection, file, () => emptyLog(connection, clock))
    return emptyLog(connection, clock)
  }

  /** Ids of erased records by account, and whether each went alone. */
  private namedIn(rows: readonly ErasureRow[]): Map<number, Map<string, boolean>> {
    const named = new Map<number, Map<string, boolean>>()
    for (const row of rows) {
      const erasure = erasureIn(this.parts.connection.raw, row)
      if (erasure === null) continue
      const records = named.get(row.accountRow) ?? new Map<string, boolean>()
      named.set(row.accountRow, records)
      for (const id of erasure.records) records.set(id, erasure.of === 'records')
    }
    return named
  }

  /** Examines every record of the account, as the leader did: most are in no index of ids. */
  private async removeRecords(accountRow: number, records: ReadonlyMap<string, boolean>): Promise<void> {
    if (records.size === 0) return
    const page = this.parts.connection.raw.query<FoundRecord & { id: string }, [number, number, number]>(
      `SELECT sequence, kind, id FROM ledger WHERE account_row = ? AND kind = ? AND sequence > ?
       ORDER BY sequence LIMIT ${pageRows}`,
    )
    const taken = { counts: noCounts(), log: this.silently }
    for (const kind of Object.values(entryKinds)) {
      for (let after = 0, length = pageRows; length === pageRows; await breath()) {
        const found = page.all(accountRow, kind, after)
        for (const isAlone of [false, true])
          await this.erased.removeAll(
            found.filter(({ id }) => records.get(id) === isAlone),
            { ...taken, isAlone },
          )
        after = found.at(-1)?.sequence ?? after
        length = found.length
      }
    }
  }

  private readonly silently: RemovalLog = {
    within: (removal) => writeTransaction(this.parts.connection, removal),
    note() {},
    end() {},
  }

  private async removePerson({ accountRow, id }: RemovedPerson): Promise<void> {
    const { connection } = this.parts
    const person = connection.raw
      .query<{ row: number }, [number, string]>('SELECT row FROM person WHERE account_row = ? AND id = ?')
      .get(accountRow, id)
    if (person === null) return
    const { intervals } = ownershipOf(connection, person.row)
    const found = { intervals, processedTo: processedTo(connection) }
    for (const deviceRow of new Set(intervals.map((interval) => interval.deviceRow)))
      await this.parting.part(deviceRow, person.row, found)
    this.parting.removePerson(person.row)
  }

  private async expire(sequences: readonly number[]): Promise<void> {
    const { connection, clock } = this.parts
    for (let next = 0; next < sequences.length; await breath()) {
      const deadlineMs = clock.monotonicMs() + stepMs
      const isOver = () => clock.monotonicMs() >= deadlineMs
      const left = sequences.slice(next, next + expiredPerStep)
      next += writeTransaction(connection, () => this.expired.remove(left, isOver))
    }
  }
}
