import { type DeviceChange, DeviceRefold } from '../../../processing/refolding/device-refold.ts'
import type { Connection } from '../database/connection.ts'
import type { Correction, Folding } from '../processing/folding.ts'
import { processedTo } from '../processing/processed-to.ts'
import { DeviceWrites } from './device-writes.ts'
import { hasRecordedAfter, RememberedRows } from './remembered-rows.ts'
import { pause, type StaleKind } from './stale-kind.ts'

/** Entries folded before others get their turn: a millisecond or two. */
const entriesPerPart = 32
/** Erased times of a device, and ties of a removed one, that are deleted in one transaction. */
const rowsPerPart = 1000

interface StaleDevice {
  mark: number
  row: number
  accountRow: number
  /** `null`: not loaded yet, or the device or its account is gone. */
  refold: DeviceRefold | null
  /** The last entry that was folded. */
  behind: number
  /** Where processing was when the device's entries were read. */
  cursor: number
}

/** Folds devices with erased entries again, each from its base. What they record meanwhile is folded behind that. */
export class StaleDevices implements StaleKind<StaleDevice, DeviceChange> {
  readonly changesPerPart = 25
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly rows: RememberedRows
  private readonly writes: DeviceWrites

  constructor(
    private readonly connection: Connection,
    private readonly folding: Folding,
  ) {
    this.statements = prepareStatements(connection)
    this.rows = new RememberedRows(connection)
    this.writes = new DeviceWrites(connection, folding.store)
  }

  next(): StaleDevice | null {
    const found = this.statements.next.get()
    return found && { ...found, accountRow: 0, refold: null, behind: 0, cursor: 0 }
  }

  isMarked({ mark }: StaleDevice): boolean {
    return this.statements.isMarked.get(mark) !== null
  }

  *changes(device: StaleDevice): Generator<DeviceChange | typeof pause> {
    this.folding.begin()
    const found = device.refold === null ? this.rows.base(device.row) : null
    if (found !== null) device.accountRow = found.accountRow
    const account = this.folding.account(device.accountRow)
    if (account !== null && found !== null) device.refold = new DeviceRefold(found.base)
    const { row, refold } = device
    if (account === null || refold === null) return
    device.cursor = processedTo(this.connection)
    const keys = yield* this.rows.keysBehind(row, device.behind)
    for (let from = 0; from < keys.length; from += entriesPerPart) {
      refold.add(this.rows.read(row, account, keys.subarray(from, from + entriesPerPart)))
      yield pause
    }
    device.behind = keys.at(-1) ?? device.behind
    if (keys.length > 0) for (const change of refold.changes()) yield change ?? pause
  }

  write(change: DeviceChange, { refold }: StaleDevice, correction: Correction): void {
    if (refold !== null) this.writes.change(refold.device.key, change, correction)
  }

  /** Writes the device's own state, and removes a device without entries with its ties. What retention deleted of it stays counted. */
  settle(device: StaleDevice): void {
    const { row, accountRow, refold, mark, cursor } = device
    const { statements } = this
    if (refold !== null && this.folding.account(accountRow) !== null) {
      if (hasRecordedAfter(this.connection, cursor, row)) return
      this.folding.correct(accountRow, (correction) => {
        this.writes.days(refold, correction)
        correction.state.devices.save(refold.device)
      })
      statements.keepExpired.run(refold.base.expiredAt, row)
      if (statements.endTimes.run(row).changes === rowsPerPart) return
      if (statements.hasEntry.get(row) === null) {
        if (statements.removeTies.run(row).changes === rowsPerPart) return
        for (const remove of statements.remove) remove.run(row)
      }
    }
    statements.end.run(mark)
  }

  giveUp({ mark }: StaleDevice, reason: string): void {
    this.statements.giveUp.run(reason, mark)
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    next: raw.query<Pick<StaleDevice, 'mark' | 'row'>, []>(
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
