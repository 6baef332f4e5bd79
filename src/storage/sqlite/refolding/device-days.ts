import { figureOfDevice } from '../../../processing/figures/hit-bits.ts'
import type { DeviceBase } from '../../../processing/forgetting/device-base.ts'
import type { DeviceRefold } from '../../../processing/forgetting/device-refold.ts'
import type { Connection } from '../database/connection.ts'
import type { DayFigures } from './day-figures.ts'

interface FoldedDevice {
  row: number
  accountRow: number
  base: DeviceBase
  refold: DeviceRefold
}

/** Writes the days on which a device viewed something, as determined by a refold. Call in its transaction. */
export class DeviceDays {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly figures: DayFigures,
  ) {
    this.statements = prepareStatements(connection)
  }

  keep({ row, accountRow, base, refold }: FoldedDevice): void {
    const before = this.statements.viewDay.get(row)?.viewDay ?? null
    this.moveVisitor(accountRow, before, refold.device.viewDay)
    this.forgetOthers(row, base, refold)
  }

  /** Moves the device from one day's `visitor_last` to another's. */
  private moveVisitor(accountRow: number, from: number | null, to: number | null): void {
    const [left, entered] = [figureOfDevice({ viewDay: from }), figureOfDevice({ viewDay: to })]
    if (left) this.figures.change(accountRow, { ...left, name: '', count: -1 })
    if (entered) this.figures.change(accountRow, { ...entered, name: '', count: 1 })
  }

  /** Views of a day up to the base may have expired, so any remaining entry of that day keeps it. */
  private forgetOthers(row: number, { viewDay }: DeviceBase, { viewDays, recordedDays }: DeviceRefold): void {
    const expired = viewDay ?? -1
    this.statements.forget.run(row, 0, expired, JSON.stringify([...recordedDays]))
    this.statements.forget.run(row, expired + 1, Number.MAX_SAFE_INTEGER, JSON.stringify([...viewDays]))
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    viewDay: raw.query<{ viewDay: number | null }, [number]>('SELECT view_day AS viewDay FROM device WHERE row = ?'),
    forget: raw.query<null, [number, number, number, string]>(
      `DELETE FROM visitor_day WHERE device_row = ? AND day BETWEEN ? AND ?
         AND day NOT IN (SELECT value FROM json_each(?))`,
    ),
  }
}
