import { judgeAgain } from '../../../processing/clicks/judge-again.ts'
import type { DeviceKey } from '../../../processing/devices.ts'
import { figuresOfGoals } from '../../../processing/figures/measures.ts'
import type { DeviceChange } from '../../../processing/refolding/device-refold.ts'
import { correctOrigin } from '../../../processing/submissions/change-origin.ts'
import type { Connection } from '../database/connection.ts'
import type { SqliteFoldStore } from '../processing/fold-store.ts'
import type { Correction } from './correct.ts'

type ChangeOf<Kind extends DeviceChange['kind']> = Extract<DeviceChange, { kind: Kind }>

/** Writes differences of a device's entries, each with its figures. Call in a transaction. */
export class DeviceChanges {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly store: SqliteFoldStore,
  ) {
    this.statements = prepareStatements(connection)
  }

  write(device: DeviceKey, change: DeviceChange, correction: Correction): void {
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
  }
}
