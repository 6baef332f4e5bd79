import type { Statement } from 'bun:sqlite'
import type { DeviceKey } from '../../../processing/devices.ts'
import { channelOfTouch } from '../../../processing/figures/channel.ts'
import { countedChannel, isCountedAs, visitMoved } from '../../../processing/figures/measures.ts'
import { beginningOf } from '../../../processing/figures/note-hit.ts'
import type { EntryKey } from '../../../processing/ledger-item.ts'
import type { RememberedEntry } from '../../../processing/refolding/device-refold.ts'
import { nameAgain } from '../../../processing/submissions/origin.ts'
import type { Connection } from '../database/connection.ts'
import { channelColumn } from '../processing/device-rows.ts'
import type { Correction, Folding } from '../processing/folding.ts'
import { StaleMarks } from '../processing/stale-marks.ts'
import { isOfOthers } from '../schema/fact-schema.ts'
import { isVisitOfOthers } from '../schema/processing-schema.ts'
import { RememberedRows } from './remembered-rows.ts'
import { eachRow, type Marked } from './stale-groups.ts'
import type { StaleKind } from './stale-kind.ts'

const namedPerPart = 25

const accountOfDevice = '(SELECT account_row FROM device WHERE row = device_row)'

type StaleDay = Marked & { day: number }

interface OfOthers {
  key: EntryKey
  /** Whose visit it is; `null`: it is a lead. */
  deviceRow: DeviceKey | null
}

/**
 * Visits and leads that count as one of the others, on days on which an erasure left names free: the first get them. Visits whose
 * view has expired stay as they are counted.
 */
export function staleDays(connection: Connection, folding: Folding): StaleKind<StaleDay, OfOthers> {
  const { raw } = connection
  const others = raw.query<OfOthers, [number, number, number]>(
    `SELECT sequence AS key, NULL AS deviceRow FROM submission_fact
       WHERE account_row = ?1 AND lead_day = ?2 AND ${isOfOthers} AND sequence > ?3
     UNION ALL SELECT sequence, device_row FROM device_entry
       WHERE day = ?2 AND ${isVisitOfOthers} AND sequence > ?3 AND ${accountOfDevice} = ?1
     ORDER BY 1 LIMIT ${namedPerPart}`,
  )
  const rows = new RememberedRows(connection)
  const visits = new VisitNames(connection)
  return {
    ...eachRow<StaleDay>(connection, 'stale_day', { mark: 'mark', key: 'day' }),
    changesPerPart: namedPerPart,
    *changes({ accountRow, day }) {
      for (let after = 0; ; ) {
        const found = others.all(accountRow, day, after)
        yield* found
        const last = found.at(-1)
        if (last === undefined) return
        after = last.key
      }
    },
    write({ key, deviceRow }, { accountRow }, correction) {
      const { accountId, state } = correction
      const account = folding.account(accountRow)
      if (deviceRow === null) {
        const submission = folding.store.submissions.one(key)
        if (submission !== null) nameAgain(accountId, submission, state)
      } else if (account !== null) {
        const [visit] = rows.read(deviceRow, account, [key])
        if (visit !== undefined && 'channel' in visit) visits.nameAgain(deviceRow, visit, correction)
      }
    },
  }
}

/** Moves visits to what their channel counts under now. Their visitors follow when the device is derived again. */
class VisitNames {
  private readonly keepChannel: Statement<null, [string | null, number, number, number]>
  private readonly marks: StaleMarks

  constructor(connection: Connection) {
    this.keepChannel = connection.raw.query(
      'UPDATE device_entry SET channel = ? WHERE device_row = ? AND received_at = ? AND sequence = ?',
    )
    this.marks = new StaleMarks(connection)
  }

  nameAgain(deviceRow: DeviceKey, visit: RememberedEntry, { accountId, state }: Correction): void {
    const { figures, touches } = state
    const { key, entry, day, receipt, touch: stated, channel: before } = visit
    if (before === null || entry === null || entry.kind === 'submission') return
    const touch = beginningOf(entry, { device: deviceRow, stated }, touches)
    const now = countedChannel({ ...channelOfTouch(touch), device: before.device }, (division, name) =>
      figures.boundedName(accountId, { day, division, name }),
    )
    const column = channelColumn(now)
    // The click that led to it may have expired.
    if (column === channelColumn(before) || !isCountedAs(before, now)) return
    for (const figure of visitMoved(day, before, now)) figures.add(accountId, figure)
    this.keepChannel.run(column, deviceRow, receipt.at, key)
    this.marks.device(deviceRow)
  }
}
