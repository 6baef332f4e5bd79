import { judgeAgain } from '../../../processing/clicks/judging.ts'
import type { DeviceKey } from '../../../processing/devices.ts'
import { type DaysAround, figuresOfGoals, returnsOfDay, visitorMoved } from '../../../processing/figures/measures.ts'
import type { DeviceChange, DeviceRefold } from '../../../processing/refolding/device-refold.ts'
import { correctOrigin } from '../../../processing/submissions/origin.ts'
import type { Connection } from '../database/connection.ts'
import { dayAfter, dayBefore } from '../lookup/visited-days.ts'
import type { SqliteFoldStore } from '../processing/fold-store.ts'
import type { Correction } from '../processing/folding.ts'

type ChangeOf<Kind extends DeviceChange['kind']> = Extract<DeviceChange, { kind: Kind }>

/** Writes how a refolded device differs from the stored one, each with its figures. Call in a transaction. */
export class DeviceWrites {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly store: SqliteFoldStore,
  ) {
    this.statements = prepareStatements(connection)
  }

  change(device: DeviceKey, change: DeviceChange, correction: Correction): void {
    const { accountId, state } = correction
    if (change.kind === 'count') this.count(device, change, correction)
    else if (change.kind === 'goals') this.countGoals(change, correction)
    else if (change.kind === 'told') state.touches.add(device, change.recorded.touch, change.recorded.receipt)
    else if (change.kind === 'untold') this.statements.untell.run(device, change.receipt.at, change.receipt.id)
    else if (change.kind === 'life') {
      for (const click of state.clicks.meet(this.store.clicks.listOf([change.key]))) {
        state.clicks.save(click, { lifeAt: change.lifeAt })
        judgeAgain(accountId, click, state)
      }
    } else {
      const submission = this.store.submissions.one(change.key)
      if (submission !== null) correctOrigin(accountId, submission, { changed: () => change.origin, state })
    }
  }

  /** Another process may have counted the entry again already. */
  private count(device: DeviceKey, change: ChangeOf<'count'>, { accountId, state }: Correction): void {
    const { key, receivedAt, before, counted, figures } = change
    const entry = this.statements.count.get(counted, device, receivedAt, key, before)
    if (entry === null) return
    for (const figure of figures) state.figures.add(accountId, { ...figure, day: entry.day })
  }

  private countGoals({ key, visitAt, before, counted }: ChangeOf<'goals'>, { accountId, state }: Correction): void {
    const entry = this.statements.countGoals.get(visitAt, JSON.stringify(counted), key, JSON.stringify(before))
    if (entry === null) return
    const { day } = entry
    const targets: string[] = JSON.parse(entry.targets)
    const add = (counted: readonly string[], count: number) => {
      for (const figure of figuresOfGoals({ targets, counted })) state.figures.add(accountId, { ...figure, day, count })
    }
    add(before, -1)
    add(counted, 1)
  }

  /** The days on which it viewed something. Views of a day up to the base may have expired: any remaining entry of it keeps it. */
  days({ base, device, viewDays, recordedDays }: DeviceRefold, correction: Correction): void {
    const { viewDay, daysAfter, forgetExpired } = this.statements
    const expired = base.viewDay ?? -1
    for (const figure of visitorMoved(viewDay.get(base.key)?.viewDay ?? null, device.viewDay))
      correction.state.figures.add(correction.accountId, figure)
    for (const { day } of daysAfter.all(base.key, expired)) {
      if (!viewDays.has(day)) this.forgetDay(base.key, day, correction)
    }
    forgetExpired.run(base.key, expired, JSON.stringify([...recordedDays]))
  }

  /** What was counted of a day that has expired stays; of one that was erased, the days around it are next to each other now. */
  private forgetDay(deviceRow: number, day: number, { accountId, state }: Correction): void {
    const around = this.statements.around.get(deviceRow, day) ?? { before: null, after: null }
    for (const figure of returnsOfDay(day, around)) state.figures.add(accountId, { ...figure, count: -figure.count })
    this.statements.forget.run(deviceRow, day)
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    count: raw.query<{ day: number }, [number, number, number, number, number]>(
      `UPDATE device_entry SET counted = ? WHERE device_row = ? AND received_at = ? AND sequence = ? AND counted = ?
       RETURNING day`,
    ),
    countGoals: raw.query<{ day: number; targets: string }, [number | null, string, number, string]>(
      'UPDATE goal_entry SET visit_at = ?, counted = ? WHERE sequence = ? AND counted = ? RETURNING day, targets',
    ),
    untell: raw.query<null, [number, number, string]>(
      'DELETE FROM touch WHERE device_row = ? AND received_at = ? AND entry_id = ?',
    ),
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
