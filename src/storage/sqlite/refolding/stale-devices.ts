import type { ProcessedAccount } from '../../../processing/processed-account.ts'
import type { DeviceBase } from '../../../processing/refolding/device-base.ts'
import { type DeviceChange, DeviceRefold } from '../../../processing/refolding/device-refold.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import type { Folding } from '../processing/folding.ts'
import { processedTo } from '../processing/processed-to.ts'
import { type Correction, correct } from './correct.ts'
import { DeviceChanges } from './device-changes.ts'
import { DeviceDays } from './device-days.ts'
import { hasRecordedAfter } from './recordings.ts'
import { RememberedRows } from './remembered-rows.ts'
import type { WorkTurn } from './work-turn.ts'

/** Entries folded, or changes written, before checking whether the turn is over: a millisecond or two. */
const entriesPerPart = 32
const changesPerPart = 25
/** Erased times of a device, and ties of a removed one, that are deleted in one transaction. */
const rowsPerPart = 1000

interface Stale {
  mark: number
  row: number
}

interface Refolded extends Stale {
  account: ProcessedAccount
  accountRow: number
  base: DeviceBase
  refold: DeviceRefold
}

/**
 * Folds devices with erased entries again, each from its base. Reading and folding hold no lock. Each write is
 * consistent, figures included, and valid only under the mark with which the refold began: an erasure or retention that
 * removes more entries of the device marks it anew, and the present refold is given up.
 */
export class StaleDevices {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly rows: RememberedRows
  private readonly days: DeviceDays
  private readonly changes: DeviceChanges

  constructor(
    private readonly connection: Connection,
    private readonly folding: Folding,
    private readonly turn: WorkTurn,
  ) {
    this.statements = prepareStatements(connection)
    this.rows = new RememberedRows(connection)
    this.days = new DeviceDays(connection)
    this.changes = new DeviceChanges(connection, folding.store)
  }

  /** Derives the first stale device again, one part each turn; `null`: none is stale. */
  next(): { work: Generator<void, void>; giveUp: (reason: string) => void } | null {
    const stale = this.statements.first.get()
    const giveUp = (reason: string) => this.statements.giveUp.run(reason, stale?.mark ?? 0)
    return stale && { work: this.refold(stale), giveUp }
  }

  private *refold(stale: Stale): Generator<void, void> {
    const found = this.rows.base(stale.row)
    this.folding.begin()
    const account = found && this.folding.account(found.accountRow)
    if (!found || !account) return this.end(stale)
    const refolded: Refolded = { ...stale, ...found, account, refold: new DeviceRefold(found.base) }
    for (let behind = 0; ; ) {
      const cursor = processedTo(this.connection)
      const keys = yield* this.rows.keysBehind(stale.row, behind)
      if (keys.length === 0) {
        // Nothing has come in since the changes were written.
        if (this.keepDevice(refolded, cursor)) return yield* this.settle(refolded)
        if (!this.isMarked(stale)) return
      }
      behind = keys.at(-1) ?? behind
      if (!(yield* this.fold(refolded, keys)) || !(yield* this.write(refolded))) return
    }
  }

  /** `false`: it was marked again meanwhile. */
  private *fold({ account, refold, ...stale }: Refolded, keys: Float64Array): Generator<void, boolean> {
    for (let from = 0; from < keys.length; from += entriesPerPart) {
      if (!this.isMarked(stale)) return false
      refold.add(this.rows.read(stale.row, account, keys.subarray(from, from + entriesPerPart)))
      if (this.turn.isOver()) yield
    }
    return true
  }

  private *write(refolded: Refolded): Generator<void, boolean> {
    let waiting: DeviceChange[] = []
    for (const change of refolded.refold.changes()) {
      if (change !== null) waiting.push(change)
      if (waiting.length < changesPerPart && !this.turn.isOver()) continue
      if (!this.keepChanges(refolded, waiting)) return false
      waiting = []
      if (this.turn.isOver()) yield
    }
    return this.keepChanges(refolded, waiting)
  }

  private keepChanges(refolded: Refolded, changes: readonly DeviceChange[]): boolean {
    if (changes.length === 0) return true
    return this.whileMarked(refolded, () => {
      this.correct(refolded, (correction) => {
        for (const change of changes) this.changes.write(refolded.base.key, change, correction)
      })
      return true
    })
  }

  /** Writes the device's own state. `false`: it has recorded something after the cursor, or was marked again. */
  private keepDevice(refolded: Refolded, cursor: number): boolean {
    const { base, refold } = refolded
    return this.whileMarked(refolded, () => {
      if (hasRecordedAfter(this.connection, cursor, refolded.row)) return false
      this.correct(refolded, (correction) => {
        this.days.keep(base, refold, correction)
        correction.state.devices.save(refold.device)
      })
      this.statements.keepExpired.run(base.expiredAt, refolded.row)
      return true
    })
  }

  private correct({ accountRow }: Refolded, rules: (correction: Correction) => void): void {
    correct(this.folding, accountRow, rules)
  }

  /** Ends the mark, and removes a device without entries with its ties. What retention deleted of it stays counted. */
  private *settle(stale: Stale): Generator<void, void> {
    while (this.whileMarked(stale, () => this.settlePart(stale))) yield
  }

  /** Returns whether more is left. */
  private settlePart(stale: Stale): boolean {
    const { statements } = this
    const { mark, row } = stale
    if (statements.endTimes.run(row).changes === rowsPerPart) return true
    if (!this.isBare(stale)) {
      statements.end.run(mark)
      return false
    }
    if (statements.removeTies.run(row).changes === rowsPerPart) return true
    for (const remove of statements.remove) remove.run(row)
    statements.end.run(mark)
    return false
  }

  private isBare({ row }: Stale): boolean {
    return this.statements.hasEntry.get(row) === null
  }

  private isMarked({ mark }: Stale): boolean {
    return this.statements.isMarked.get(mark) !== null
  }

  private end({ mark }: Stale): void {
    this.statements.end.run(mark)
  }

  private whileMarked(stale: Stale, work: () => boolean): boolean {
    return writeTransaction(this.connection, () => this.isMarked(stale) && work())
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    first: raw.query<Stale, []>(
      'SELECT mark, device_row AS row FROM stale_device WHERE given_up IS NULL ORDER BY mark LIMIT 1',
    ),
    giveUp: raw.query<null, [string, number]>('UPDATE stale_device SET given_up = ? WHERE mark = ?'),
    isMarked: raw.query<object, [number]>('SELECT 1 FROM stale_device WHERE mark = ?'),
    end: raw.query<null, [number]>('DELETE FROM stale_device WHERE mark = ?'),
    keepExpired: raw.query<null, [number | null, number]>('UPDATE device SET expired_at = ? WHERE row = ?'),
    endTimes: raw.query<null, [number]>(`DELETE FROM erased_time WHERE device_row = ? LIMIT ${rowsPerPart}`),
    hasEntry: raw.query<object, [number]>('SELECT 1 FROM device_entry WHERE device_row = ? LIMIT 1'),
    removeTies: raw.query<null, [number]>(`DELETE FROM device_tie WHERE device_row = ? LIMIT ${rowsPerPart}`),
    remove: [
      raw.query<null, [number]>('DELETE FROM device_traits WHERE device_row = ?'),
      raw.query<null, [number]>('DELETE FROM touch WHERE device_row = ?'),
      raw.query<null, [number]>('DELETE FROM visitor_day WHERE device_row = ?'),
      raw.query<null, [number]>('DELETE FROM device WHERE row = ?'),
    ],
  }
}
