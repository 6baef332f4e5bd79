import { type DaysAround, returnsOfDay, visitorMoved } from '../../../processing/figures/measures.ts'
import type { DeviceBase } from '../../../processing/refolding/device-base.ts'
import type { DeviceRefold } from '../../../processing/refolding/device-refold.ts'
import type { Connection } from '../database/connection.ts'
import { dayAfter, dayBefore } from '../lookup/visited-days.ts'
import type { Correction } from './correct.ts'

/** Writes the days on which a device viewed something, as determined by a refold. Call in its transaction. */
export class DeviceDays {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Connection) {
    this.statements = prepareStatements(connection)
  }

  /** Views of a day up to the base may have expired, so any remaining entry of that day keeps it. */
  keep(base: DeviceBase, { device, viewDays, recordedDays }: DeviceRefold, correction: Correction): void {
    const { viewDay, daysAfter, forgetExpired } = this.statements
    const expired = base.viewDay ?? -1
    for (const figure of visitorMoved(viewDay.get(base.key)?.viewDay ?? null, device.viewDay))
      correction.state.figures.add(correction.accountId, figure)
    for (const { day } of daysAfter.all(base.key, expired)) {
      if (!viewDays.has(day)) this.forget(base.key, day, correction)
    }
    forgetExpired.run(base.key, expired, JSON.stringify([...recordedDays]))
  }

  /** What was counted of a day that has expired stays; of one that was erased, the days around it are next to each other now. */
  private forget(deviceRow: number, day: number, { accountId, state }: Correction): void {
    const around = this.statements.around.get(deviceRow, day) ?? { before: null, after: null }
    for (const figure of returnsOfDay(day, around)) state.figures.add(accountId, { ...figure, count: -figure.count })
    this.statements.forget.run(deviceRow, day)
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
