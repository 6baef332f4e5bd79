import { judgeAgain } from '../../../processing/clicks/judging.ts'
import type { DeviceKey } from '../../../processing/devices.ts'
import type { Channel } from '../../../processing/figures/channel.ts'
import {
  countedChannel,
  figuresOfGoals,
  type VisitedDay,
  visitMoved,
  visitorMoved,
} from '../../../processing/figures/measures.ts'
import type { DeviceBase } from '../../../processing/refolding/device-base.ts'
import { type DeviceChange, DeviceRefold } from '../../../processing/refolding/device-refold.ts'
import { correctOrigin } from '../../../processing/submissions/origin.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { channelColumn, storedChannel } from '../processing/device-rows.ts'
import type { SqliteFoldStore } from '../processing/fold-store.ts'
import type { Correction, Folding } from '../processing/folding.ts'
import { processedTo } from '../processing/processed-to.ts'
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

type ChangeOf<Kind extends DeviceChange['kind']> = Extract<DeviceChange, { kind: Kind }>

/** Writes how a refolded device differs from the stored one, each with its figures. Call in a transaction. */
class DeviceWrites {
  private readonly statements: ReturnType<typeof prepareWrites>

  constructor(
    connection: Connection,
    private readonly store: SqliteFoldStore,
  ) {
    this.statements = prepareWrites(connection)
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
    const { key, receivedAt, before, counted, figures, channels } = change
    const entry = this.statements.count.get(counted, device, receivedAt, key, before)
    if (entry === null) return
    const { day } = entry
    for (const figure of figures) state.figures.add(accountId, { ...figure, day })
    if (channels.before === channels.now) return
    const now =
      channels.now &&
      countedChannel(channels.now, (division, name) => state.figures.boundedName(accountId, { day, division, name }))
    for (const figure of visitMoved(day, channels.before, now)) state.figures.add(accountId, figure)
    this.statements.keepChannel.run(channelColumn(now), device, receivedAt, key)
  }

  private countGoals({ key, visitAt, before, counted }: ChangeOf<'goals'>, { accountId, state }: Correction): void {
    const entry = this.statements.countGoals.get(visitAt, JSON.stringify(counted), key, JSON.stringify(before))
    if (entry === null) return
    const { day } = entry
    const targets: string[] = storedJson(entry.targets)
    const add = (counted: readonly string[], count: number) => {
      for (const figure of figuresOfGoals({ targets, counted })) state.figures.add(accountId, { ...figure, day, count })
    }
    add(before, -1)
    add(counted, 1)
  }

  /** The days on which it viewed something. What was counted of a day that has expired stays: any remaining entry of it keeps it. */
  days({ base, device, viewDays, recordedDays }: DeviceRefold, { accountId, state }: Correction): void {
    const { keepDay, forgetDay, forgetExpired } = this.statements
    const expired = base.viewDay ?? -1
    const before = this.storedDays(base)
    const after = [...viewDays]
      .filter(([day]) => day >= expired)
      .sort(([one], [other]) => one - other)
      .map(([day, { at, channel }]): VisitedDay => ({ day, channel: this.countedChannel(base.key, at) ?? channel }))
    device.channel = after.at(-1)?.channel ?? null
    if (!Bun.deepEquals(before, after)) {
      for (const figure of visitorMoved(before, after)) state.figures.add(accountId, figure)
      for (const { day } of before) if (!viewDays.has(day)) forgetDay.run(base.key, day)
      for (const { day, channel } of after)
        keepDay.run(day === device.viewDay ? null : channelColumn(channel), base.key, day)
    }
    forgetExpired.run(base.key, expired, JSON.stringify([...recordedDays]))
  }

  /** From the latest expired one on. */
  private storedDays({ key, viewDay, channel }: DeviceBase): VisitedDay[] {
    const { lastSeen, daysFrom } = this.statements
    const last = lastSeen.get(key)
    if (last === null || last.day === null) return []
    const days = new Map<number, Channel | null>(viewDay === null ? [] : [[viewDay, channel]])
    for (const { day, channel } of daysFrom.all(key, viewDay ?? -1)) days.set(day, storedChannel(channel))
    days.set(last.day, storedChannel(last.channel))
    return Array.from(days, ([day, channel]) => ({ day, channel }))
  }

  /** What began the visit, as its day counts it; `null`: its view has expired. */
  private countedChannel(device: DeviceKey, visitAt: number | null): Channel | null {
    return storedChannel(this.statements.channel.get(device, visitAt)?.channel ?? null)
  }
}

function prepareWrites({ raw }: Connection) {
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
    keepChannel: raw.query<null, [string | null, number, number, number]>(
      'UPDATE device_entry SET channel = ? WHERE device_row = ? AND received_at = ? AND sequence = ?',
    ),
    lastSeen: raw.query<{ day: number | null; channel: string | null }, [number]>(
      'SELECT view_day AS day, channel FROM device WHERE row = ?',
    ),
    channel: raw.query<{ channel: string }, [number, number | null]>(
      'SELECT channel FROM device_entry WHERE device_row = ? AND received_at = ? AND channel IS NOT NULL',
    ),
    daysFrom: raw.query<{ day: number; channel: string | null }, [number, number]>(
      'SELECT day, channel FROM visitor_day WHERE device_row = ? AND day >= ? ORDER BY day',
    ),
    keepDay: raw.query<null, [string | null, number, number]>(
      'UPDATE visitor_day SET channel = ? WHERE device_row = ? AND day = ?',
    ),
    forgetDay: raw.query<null, [number, number]>('DELETE FROM visitor_day WHERE device_row = ? AND day = ?'),
    forgetExpired: raw.query<null, [number, number, string]>(
      `DELETE FROM visitor_day WHERE device_row = ? AND day <= ? AND day NOT IN (SELECT value FROM json_each(?))`,
    ),
  }
}
