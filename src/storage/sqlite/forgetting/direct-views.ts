import { directTouch, isView } from '../../../processing/attribution/touch-of.ts'
import { Touches } from '../../../processing/attribution/touches.ts'
import type { DeviceKey } from '../../../processing/devices.ts'
import { isLater, type Receipt } from '../../../processing/receipt.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { decodedRows, type EntryRow, entryKinds } from '../ledger/ledger-codec.ts'
import { SqliteFoldStore } from '../processing/fold-store.ts'
import type { ErasedTimes } from './erased-times.ts'

/** Entries looked at before others get their turn. */
const rowsPerTurn = 500

interface Place {
  receivedAt: number
  sequence: number
}

type ViewRow = EntryRow & { sequence: number; accountId: string }

interface Erased {
  times: ErasedTimes
  sequences: ReadonlySet<number>
}

/**
 * Views that nothing led to: processing keeps the first alone, where nothing came before it (note-touch.ts). When what
 * came before one is erased, it is the first, and the only one that first and last touches need.
 */
export class DirectViews {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly store: SqliteFoldStore

  constructor(private readonly connection: Connection) {
    this.statements = prepareStatements(connection)
    this.store = new SqliteFoldStore(connection, Number)
  }

  /** Keeps the device's first view as a touch, when no touch that is left came before it. Call when erased touches have gone. */
  async keepFirst(deviceRow: number, erased: Erased): Promise<void> {
    if (this.mayHaveToldMore(deviceRow, erased.times)) return
    const view = await this.firstView(deviceRow, erased)
    if (view === null) return
    this.connection.db.transaction(() => this.keep(deviceRow, view), { behavior: 'immediate' })
    await breath()
  }

  /** What has expired, and may have been another's, may have told where the device came from before any view that is left. */
  private mayHaveToldMore(deviceRow: number, times: ErasedTimes): boolean {
    const expiredAt = this.statements.expired.get(deviceRow)?.at ?? null
    return expiredAt !== null && !times.hasAllUpTo(deviceRow, expiredAt)
  }

  /** The first in order of receipt; `null`: none came before the touches that are left. */
  private async firstView(deviceRow: number, { sequences }: Erased): Promise<ViewRow | null> {
    const until = this.statements.firstTouch.get(deviceRow)?.at ?? Number.MAX_SAFE_INTEGER
    let first: ViewRow | null = null
    for (let after: Place = { receivedAt: -1, sequence: 0 }; ; ) {
      const places = this.statements.places.all(deviceRow, after.receivedAt, after.sequence, until)
      const left = places.filter(({ sequence }) => !sequences.has(sequence)).map(({ sequence }) => sequence)
      first = earliest(first, left.length === 0 ? [] : this.statements.views.all(JSON.stringify(left)))
      const last = places.at(-1)
      // Ids decide within a millisecond, and the index does not have them.
      if (last === undefined || (first !== null && last.receivedAt > first.receivedAt)) return first
      after = last
      await Bun.sleep(0)
    }
  }

  /** Retention may have taken it meanwhile. A touch that it has made already stays as it is. */
  private keep(deviceRow: number, view: ViewRow): void {
    if (this.statements.isThere.get(view.sequence) === null) return
    const receipt = receiptOf(view)
    const hit = viewIn(view)
    const device = deviceRow as DeviceKey
    if (hit === null) return
    const touches = new Touches(this.store.load)
    if (touches.hasEarlier(device, receipt)) return
    touches.add(device, directTouch(hit), receipt)
    this.store.touches.keep(touches)
  }
}

function earliest(first: ViewRow | null, rows: readonly ViewRow[]): ViewRow | null {
  let found = first
  for (const row of rows) {
    const isEarlier = found === null || isLater(receiptOf(found), receiptOf(row))
    if (isEarlier && viewIn(row) !== null) found = row
  }
  return found
}

/** `null`: it is none, or cannot be read any more. */
function viewIn(row: ViewRow) {
  const [read] = decodedRows([row], { accountId: row.accountId, onUnreadable: () => {} })
  return read !== undefined && read.entry.kind !== 'submission' && isView(read.entry) ? read.entry : null
}

const receiptOf = ({ receivedAt, id }: ViewRow): Receipt => ({ at: receivedAt, id })

function prepareStatements({ raw }: Connection) {
  return {
    expired: raw.query<{ at: number | null }, [number]>('SELECT expired_hit_at AS at FROM device WHERE row = ?'),
    firstTouch: raw.query<{ at: number }, [number]>(
      'SELECT received_at AS at FROM touch WHERE device_row = ? ORDER BY received_at, entry_id LIMIT 1',
    ),
    // No kind is asked for: of one that is rare, each turn would go through all others.
    places: raw.query<Place, [number, number, number, number]>(
      `SELECT received_at AS receivedAt, sequence FROM device_entry
       WHERE device_row = ? AND (received_at, sequence) > (?, ?) AND received_at <= ?
       ORDER BY received_at, sequence LIMIT ${rowsPerTurn}`,
    ),
    views: raw.query<ViewRow, [string]>(
      `SELECT sequence, kind, ledger.id, received_at AS receivedAt, record, checksum,
         (SELECT account.id FROM account WHERE account.row = ledger.account_row) AS accountId
       FROM json_each(?) asked CROSS JOIN ledger ON sequence = asked.value
       WHERE kind IN (${entryKinds.event}, ${entryKinds.page_view})`,
    ),
    isThere: raw.query<object, [number]>('SELECT 1 FROM ledger WHERE sequence = ?'),
  }
}
