import { figureOfDevice } from '../../../processing/figures/hit-bits.ts'
import type { ProcessedAccount } from '../../../processing/processed-account.ts'
import { breath } from '../breath.ts'
import type { Connection } from '../connection.ts'
import { nobody } from '../processing/schema.ts'
import { DayFigures } from './day-figures.ts'
import { applyChanges, type Recount, recount } from './recount.ts'

export interface Owner {
  account: ProcessedAccount
  accountRow: number
}

/** What becomes of a device that records were taken from. */
export class DeviceEnd {
  private readonly figures: DayFigures

  constructor(private readonly connection: Connection) {
    this.figures = new DayFigures(connection)
  }

  /**
   * Counts the device's records again and parts it from the person; without any record it goes. Answers whether it has
   * gone; `null`, when it recorded something meanwhile, and nothing was changed but counts that were wrong.
   */
  async part(deviceRow: number, personRow: number, owner: Owner): Promise<boolean | null> {
    const { connection, figures } = this
    const newest = this.newestEntry(deviceRow)
    const counted = await recount(connection, deviceRow, owner.account)
    for (const _part of applyChanges(connection, counted, { accountRow: owner.accountRow, figures })) await breath()
    return connection.db.transaction(
      () => {
        if (this.newestEntry(deviceRow) !== newest) return null
        this.untie(deviceRow, personRow)
        if (newest === 0) return this.removeIfBare(deviceRow, { figuresToo: true })
        this.keepCounted(counted, owner.accountRow)
        return false
      },
      { behavior: 'immediate' },
    )
  }

  /**
   * Removes a device that nothing is known of any more; answers whether it was one. Call in a transaction. What
   * retention deletes was counted and stays so; what is erased was never there.
   */
  removeIfBare(deviceRow: number, { figuresToo }: { figuresToo: boolean }): boolean {
    const { raw } = this.connection
    const hasEntries = raw.query('SELECT 1 FROM device_entry WHERE device_row = ? LIMIT 1').get(deviceRow) !== null
    if (hasEntries || raw.query(otherTieQuery).get(deviceRow, nobody) !== null) return false
    for (const table of ['device_tie', 'device_traits', 'touch', 'visitor_day']) {
      raw.query(`DELETE FROM ${table} WHERE device_row = ?`).run(deviceRow)
    }
    const gone = raw
      .query<{ accountRow: number; viewDay: number | null }, [number]>(
        'DELETE FROM device WHERE row = ? RETURNING account_row AS accountRow, view_day AS viewDay',
      )
      .get(deviceRow)
    const figure = gone && figuresToo ? figureOfDevice(gone) : null
    if (gone && figure) this.figures.change(gone.accountRow, { ...figure, name: '', count: -1 })
    return gone !== null
  }

  /**
   * Where others had the device too, what it records from the person's tie on stays nobody's: it was not theirs before,
   * and does not become so.
   */
  untie(deviceRow: number, personRow: number): void {
    const { raw } = this.connection
    const isShared = raw.query(otherTieQuery).get(deviceRow, personRow) !== null
    if (isShared) {
      raw
        .query('UPDATE device_tie SET person_row = ? WHERE device_row = ? AND person_row = ?')
        .run(nobody, deviceRow, personRow)
    } else raw.query('DELETE FROM device_tie WHERE device_row = ?').run(deviceRow)
  }

  private newestEntry(deviceRow: number): number {
    const newest = this.connection.raw
      .query<{ sequence: number | null }, [number]>(
        'SELECT max(sequence) AS sequence FROM device_entry WHERE device_row = ?',
      )
      .get(deviceRow)
    return newest?.sequence ?? 0
  }

  private keepCounted({ device, viewDays }: Recount, accountRow: number): void {
    const { raw } = this.connection
    const before = raw
      .query<{ viewDay: number | null }, [number]>('SELECT view_day AS viewDay FROM device WHERE row = ?')
      .get(device.key)
    for (const [held, count] of [
      [before, -1],
      [device, 1],
    ] as const) {
      const figure = held && figureOfDevice(held)
      if (figure) this.figures.change(accountRow, { ...figure, name: '', count })
    }
    raw
      .query('UPDATE device SET hit_at = ?, view_day = ?, page_at = ?, page_slug = ?, page_sha256 = ? WHERE row = ?')
      .run(
        device.hitAt,
        device.viewDay,
        device.page?.at ?? null,
        device.page?.slug ?? null,
        device.page?.sha256 ?? null,
        device.key,
      )
    const days = JSON.stringify([...viewDays])
    raw
      .query('DELETE FROM visitor_day WHERE device_row = ? AND day NOT IN (SELECT value FROM json_each(?))')
      .run(device.key, days)
  }
}

const otherTieQuery = 'SELECT 1 FROM device_tie WHERE device_row = ? AND person_row <> ? LIMIT 1'
