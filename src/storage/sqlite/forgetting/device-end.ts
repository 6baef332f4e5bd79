import { figureOfDevice } from '../../../processing/figures/hit-bits.ts'
import type { ProcessedAccount } from '../../../processing/processed-account.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { nobody } from '../processing/schema.ts'
import { DayFigures } from './day-figures.ts'
import { DeviceTies } from './device-ties.ts'
import { applyChanges, type Recount, recount } from './recount.ts'

/** Longer than any day, and any time zone's distance from UTC. */
const dayReachMs = 50 * 60 * 60_000
const dayMs = 86_400_000

export interface Owner {
  account: ProcessedAccount
  accountRow: number
}

/** What becomes of a device that records were taken from. */
export class DeviceEnd {
  private readonly figures: DayFigures
  private readonly ties: DeviceTies

  constructor(private readonly connection: Connection) {
    this.figures = new DayFigures(connection)
    this.ties = new DeviceTies(connection)
  }

  /**
   * Counts the device's records again and parts it from the person; without any record it goes. Answers whether it has
   * gone; `null`, when it recorded something meanwhile, and nothing was changed but counts that were wrong and ties that
   * tell whose no record is.
   */
  async part(deviceRow: number, personRow: number, owner: Owner): Promise<boolean | null> {
    const { connection, figures } = this
    const begun = this.processedTo()
    const counted = await recount(connection, deviceRow, owner.account)
    for (const _part of applyChanges(connection, counted, { accountRow: owner.accountRow, figures })) await breath()
    while (this.inTransaction(() => this.trimTies(deviceRow, personRow))) await breath()
    // What is looked through here need not be while everybody waits.
    const checked = this.processedTo()
    if (this.hasRecordedAfter(begun, deviceRow)) return null
    const hasGone = this.inTransaction(() => {
      if (this.hasRecordedAfter(checked, deviceRow)) return null
      this.ties.end(deviceRow, personRow)
      if (this.removeIfBare(deviceRow, { figuresToo: true })) return true
      this.keepCounted(counted, owner.accountRow)
      return false
    })
    // Its last record may go at once, and what is left of these with it.
    if (hasGone === false) while (this.inTransaction(() => this.ties.trimNobodys(deviceRow))) await breath()
    return hasGone
  }

  /**
   * Removes a device that nothing is known of any more; answers whether it was one. Call in a transaction. What
   * retention deletes was counted and stays so; what is erased was never there.
   */
  removeIfBare(deviceRow: number, { figuresToo }: { figuresToo: boolean }): boolean {
    const { raw } = this.connection
    if (this.hasEntries(deviceRow) || this.ties.hasOthers(deviceRow, nobody)) return false
    this.ties.removeAll(deviceRow)
    for (const table of ['device_traits', 'touch', 'visitor_day']) {
      raw.query(`DELETE FROM ${table} WHERE device_row = ?`).run(deviceRow)
    }
    const gone = raw
      .query<{ accountRow: number; viewDay: number | null; expiredViewDay: number | null }, [number]>(
        `DELETE FROM device WHERE row = ?
         RETURNING account_row AS accountRow, view_day AS viewDay, expired_view_day AS expiredViewDay`,
      )
      .get(deviceRow)
    if (gone && figuresToo) this.moveVisitor(gone.accountRow, gone.viewDay, gone.expiredViewDay)
    return gone !== null
  }

  /** Whether `part` would remove the device once the records of these sequences have gone. */
  wouldGo(deviceRow: number, personRow: number | null, taken: ReadonlySet<number>): boolean {
    if (personRow === null || this.ties.hasOthers(deviceRow, personRow)) return false
    const entries = this.connection.raw
      .query<{ sequence: number }, [number]>('SELECT sequence FROM device_entry WHERE device_row = ?')
      .iterate(deviceRow)
    for (const { sequence } of entries) if (!taken.has(sequence)) return false
    return true
  }

  /** Moves the device from the one day's figure of those who viewed something last then to the other's. */
  private moveVisitor(accountRow: number, from: number | null, to: number | null): void {
    for (const [viewDay, count] of [
      [from, -1],
      [to, 1],
    ] as const) {
      const figure = figureOfDevice({ viewDay })
      if (figure) this.figures.change(accountRow, { ...figure, name: '', count })
    }
  }

  /** Forgets that the device viewed something on the day, when it has no record of it any more. Call in a transaction. */
  forgetVisit(deviceRow: number, day: number): void {
    const around = day * dayMs
    this.connection.raw
      .query(
        `DELETE FROM visitor_day WHERE device_row = ?1 AND day = ?2 AND NOT EXISTS (
           SELECT 1 FROM device_entry WHERE device_row = ?1 AND received_at BETWEEN ?3 AND ?4 AND day = ?2)`,
      )
      .run(deviceRow, day, around - dayReachMs, around + dayReachMs)
  }

  /** Ends what the person's ties of the device said; see `DeviceTies`. */
  untie(deviceRow: number, personRow: number): void {
    this.ties.end(deviceRow, personRow)
  }

  private trimTies(deviceRow: number, personRow: number): boolean {
    return this.ties.trim(deviceRow, personRow, { isBare: !this.hasEntries(deviceRow) })
  }

  private inTransaction<Outcome>(change: () => Outcome): Outcome {
    return this.connection.db.transaction(change, { behavior: 'immediate' })
  }

  private hasEntries(deviceRow: number): boolean {
    return this.connection.raw.query('SELECT 1 FROM device_entry WHERE device_row = ? LIMIT 1').get(deviceRow) !== null
  }

  private processedTo(): number {
    return this.connection.raw.query<{ cursor: number }, []>('SELECT cursor FROM processing').get()?.cursor ?? 0
  }

  /** Looks at what came in since, not at all that the device ever recorded. */
  private hasRecordedAfter(sequence: number, deviceRow: number): boolean {
    return this.connection.raw.query(recordedAfterQuery).get(sequence, deviceRow) !== null
  }

  private keepCounted({ device, viewDays }: Recount, accountRow: number): void {
    const { raw } = this.connection
    const before = raw
      .query<{ viewDay: number | null }, [number]>('SELECT view_day AS viewDay FROM device WHERE row = ?')
      .get(device.key)
    this.moveVisitor(accountRow, before?.viewDay ?? null, device.viewDay)
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
      .query(
        `DELETE FROM visitor_day WHERE device_row = ?1 AND day NOT IN (SELECT value FROM json_each(?2))
           AND day > coalesce((SELECT expired_view_day FROM device WHERE row = ?1), -1)`,
      )
      .run(device.key, days)
  }
}

const recordedAfterQuery = `
  SELECT 1 FROM ledger CROSS JOIN device_entry entry ON entry.device_row = ?2
    AND entry.received_at = ledger.received_at AND entry.sequence = ledger.sequence
  WHERE ledger.sequence > ?1 AND ledger.sequence <= (SELECT cursor FROM processing) LIMIT 1`
