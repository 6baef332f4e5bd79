import type { DaysAround } from '../../../processing/figures/figures.ts'
import { figureOfDevice } from '../../../processing/figures/hit-bits.ts'
import { returnsTakenBack } from '../../../processing/figures/visitor-returns.ts'
import type { DeviceBase } from '../../../processing/refolding/device-base.ts'
import type { DeviceRefold } from '../../../processing/refolding/device-refold.ts'
import type { Connection } from '../database/connection.ts'
import { dayAfter, dayBefore } from '../lookup/visited-days.ts'
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
    this.forgetOthers({ row, accountRow, base, refold })
  }

  /** Moves the device from one day's `visitor_last` to another's. */
  private moveVisitor(accountRow: number, from: number | null, to: number | null): void {
    const [left, entered] = [figureOfDevice({ viewDay: from }), figureOfDevice({ viewDay: to })]
    if (left) this.figures.change(accountRow, { ...left, name: '', count: -1 })
    if (entered) this.figures.change(accountRow, { ...entered, name: '', count: 1 })
  }

  /** Views of a day up to the base may have expired, so any remaining entry of that day keeps it. */
  private forgetOthers({ row, accountRow, base, refold: { viewDays, recordedDays } }: FoldedDevice): void {
    const expired = base.viewDay ?? -1
    for (const { day } of this.statements.daysAfter.all(row, expired)) {
      if (!viewDays.has(day)) this.forget(row, accountRow, day)
    }
    this.statements.forgetExpired.run(row, expired, JSON.stringify([...recordedDays]))
  }

  /** What was counted of a day that has expired stays; of one that was erased, the days around it are next to each other now. */
  private forget(row: number, accountRow: number, day: number): void {
    const around = this.statements.around.get(row, day) ?? { before: null, after: null }
    for (const figure of returnsTakenBack(day, around)) this.figures.change(accountRow, figure)
    this.statements.forget.run(row, day)
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    viewDay: raw.query<{ viewDay: number | null }, [number]>('SELECT view_day AS viewDay FROM device WHERE row = ?'),
    daysAfter: raw.query<{ day: number }, [number, number]>(
      'SELECT day FROM visitor_day WHERE device_row = ? AND day > ?',
    ),
    around: raw.query<DaysAround, [number, number]>(
      `SELECT ${dayBefore('?1', '?2')} AS before, ${dayAfter('?1', '?2')} AS after`,
    ),
    forget: raw.query<null, [number, number]>('DELETE FROM visitor_day WHERE device_row = ? AND day = ?'),
    forgetExpired: raw.query<null, [number, number, string]>(
      `DELETE FROM visitor_day WHERE device_row = ? AND day <= ? AND day NOT IN (SELECT value FROM json_each(?))`,
    ),
  }
}
