import { isDirect } from '../../../processing/attribution/touch.ts'
import { judgeAgain } from '../../../processing/clicks/judge-again.ts'
import type { DeviceKey } from '../../../processing/devices.ts'
import { figuresTakenBack } from '../../../processing/figures/hit-bits.ts'
import { goalFigures } from '../../../processing/goals/goal-figures.ts'
import type { DeviceChange } from '../../../processing/refolding/device-refold.ts'
import type { Connection } from '../database/connection.ts'
import type { Folding } from '../processing/folding.ts'
import type { DayFigures } from './day-figures.ts'
import { SubmissionOrigins } from './submission-origins.ts'

interface StoredDevice {
  row: DeviceKey
  accountRow: number
  accountId: string
}

/** Writes differences of a device's entries, each with its figures. Call in a transaction. */
export class DeviceChanges {
  private readonly origins: SubmissionOrigins
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly folding: Folding,
    private readonly figures: DayFigures,
  ) {
    this.origins = new SubmissionOrigins(connection, figures)
    this.statements = prepareStatements(connection)
  }

  write(device: StoredDevice, change: DeviceChange): void {
    const { statements } = this
    if (change.kind === 'count') this.count(device, change)
    else if (change.kind === 'origin') this.origins.change(change.key, () => change.origin)
    else if (change.kind === 'goals') this.recount(device, change)
    else if (change.kind === 'life') this.judge(device, change)
    else if (change.kind === 'untold') statements.untell.run(device.row, change.receipt.at, change.receipt.id)
    else {
      const { receipt, touch } = change.recorded
      statements.tell.run(device.row, receipt.at, receipt.id, isDirect(touch) ? 1 : 0, JSON.stringify(touch))
    }
  }

  private count(
    { row, accountRow }: StoredDevice,
    { key, receivedAt, slug, counted }: Extract<DeviceChange, { kind: 'count' }>,
  ): void {
    const before = this.statements.counted.get(row, receivedAt, key)
    if (before === null || before.counted === counted) return
    this.statements.count.run(counted, row, receivedAt, key)
    const change = (bits: number, count: number) => {
      for (const figure of figuresTakenBack(bits, slug)) {
        this.figures.change(accountRow, { ...figure, day: before.day, count })
      }
    }
    change(before.counted, -1)
    change(counted, 1)
  }

  private recount(
    { accountRow }: StoredDevice,
    { key, visitAt, counted }: Extract<DeviceChange, { kind: 'goals' }>,
  ): void {
    const before = this.statements.goals.get(key)
    if (before === null) return
    const { day } = before
    const targets: string[] = JSON.parse(before.targets)
    this.statements.keepGoals.run(visitAt, JSON.stringify(counted), key)
    const change = (counted: readonly string[], count: number) => {
      for (const figure of goalFigures({ targets, counted })) this.figures.change(accountRow, { ...figure, day, count })
    }
    change(JSON.parse(before.counted), -1)
    change(counted, 1)
  }

  private judge({ accountId }: StoredDevice, { key, lifeAt }: Extract<DeviceChange, { kind: 'life' }>): void {
    const fold = this.folding.begin()
    const { clicks } = fold.state
    const [click] = clicks.meet(this.folding.store.clicks.listOf([key]))
    if (click === undefined) return
    clicks.save(click, { lifeAt })
    judgeAgain(accountId, click, fold.state)
    fold.keep()
  }
}

function prepareStatements({ raw }: Connection) {
  const entry = 'device_row = ? AND received_at = ? AND sequence = ?'
  return {
    counted: raw.query<{ day: number; counted: number }, [number, number, number]>(
      `SELECT day, counted FROM device_entry WHERE ${entry}`,
    ),
    count: raw.query<null, [number, number, number, number]>(`UPDATE device_entry SET counted = ? WHERE ${entry}`),
    goals: raw.query<{ day: number; targets: string; counted: string }, [number]>(
      'SELECT day, targets, counted FROM goal_entry WHERE sequence = ?',
    ),
    keepGoals: raw.query<null, [number | null, string, number]>(
      'UPDATE goal_entry SET visit_at = ?, counted = ? WHERE sequence = ?',
    ),
    tell: raw.query<null, [number, number, string, number, string]>(
      `INSERT INTO touch (device_row, received_at, entry_id, is_direct, touch) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    ),
    untell: raw.query<null, [number, number, string]>(
      'DELETE FROM touch WHERE device_row = ? AND received_at = ? AND entry_id = ?',
    ),
  }
}
