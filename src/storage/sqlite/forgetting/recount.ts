import type { Device, DeviceKey } from '../../../processing/devices.ts'
import { countedAgain, figuresTakenBack, hitBits } from '../../../processing/figures/hit-bits.ts'
import { type HitState, noteHit } from '../../../processing/figures/note-hit.ts'
import type { ProcessedAccount } from '../../../processing/processed-account.ts'
import type { Connection } from '../database/connection.ts'
import { decodedRows, type EntryRow, entryKinds } from '../ledger/ledger-codec.ts'
import type { DayFigures } from '../refolding/day-figures.ts'

type HitRow = EntryRow & { sequence: number; day: number; counted: number }

/** Entries counted again before others get their turn. */
const entriesPerTurn = 500
/** Changed entries of one transaction. */
const changesPerStep = 200

export interface Recount {
  device: Device
  /** Days on which it viewed something. */
  viewDays: Set<number>
  changes: { row: HitRow; slug: string | null; counted: number }[]
}

/**
 * Counts what is left of a device's records as if nothing had been there but these and what has expired, which stays
 * counted: a visit that an erased view had begun is begun by the next one, but one that an expired view had begun goes on.
 */
export async function recount({ raw }: Connection, deviceRow: number, account: ProcessedAccount): Promise<Recount> {
  const device: Device = {
    key: deviceRow as DeviceKey,
    ...boundaryOf(raw, deviceRow),
    page: null,
    awaitsLifeSince: null,
  }
  const viewDays = new Set(device.viewDay === null ? [] : [device.viewDay])
  const result: Recount = { device, viewDays, changes: [] }
  const sequences = hitsOf(raw, deviceRow)
  const hits = raw.query<HitRow, [number, string]>(hitsQuery)
  for (let from = 0; from < sequences.length; from += entriesPerTurn) {
    const part = sequences.subarray(from, from + entriesPerTurn)
    for (const row of hits.all(deviceRow, JSON.stringify([...part]))) countAgain(row, account, result)
    await Bun.sleep(0)
  }
  return result
}

/** What the device was when retention had deleted what it has; of a day that it cut through the visitor is counted. */
const boundaryOf = (raw: Connection['raw'], deviceRow: number): Pick<Device, 'hitAt' | 'viewDay'> =>
  raw
    .query<Pick<Device, 'hitAt' | 'viewDay'>, [number]>(
      'SELECT expired_hit_at AS hitAt, expired_view_day AS viewDay FROM device WHERE row = ?',
    )
    .get(deviceRow) ?? { hitAt: null, viewDay: null }

/** The device's hits in the order in which they were processed; its index has them in that of receipt. */
function hitsOf(raw: Connection['raw'], deviceRow: number): Float64Array {
  const rows = raw
    .query<{ sequence: number }, [number]>(
      `SELECT sequence FROM device_entry WHERE device_row = ? AND kind <> ${entryKinds.submission}`,
    )
    .all(deviceRow)
  return Float64Array.from(rows, ({ sequence }) => sequence).sort()
}

function countAgain(row: HitRow, account: ProcessedAccount, result: Recount): void {
  // What cannot be read any more stays as it was counted.
  const [read] = decodedRows([row], { accountId: account.id, onUnreadable: () => {} })
  if (read === undefined || read.entry.kind === 'submission') return
  const { entry } = read
  const isBot = (row.counted & (hitBits.view_bot | hitBits.event_bot)) !== 0
  const again = noteHit(entry, { account, device: result.device, isBot }, stateOf(result, row.day))
  const counted = countedAgain(row.counted, again.counted)
  const slug = entry.kind === 'page_view' ? entry.slug : null
  if (counted !== row.counted) result.changes.push({ row, slug, counted })
}

/** What counting needs, with nothing behind it: the day is the one that was counted then. */
const stateOf = ({ viewDays }: Recount, day: number): HitState => ({
  days: { of: () => day },
  devices: { save: () => {} },
  figures: {
    add: () => {},
    noteVisitor: (_device, viewedOn) => {
      const isFirst = !viewDays.has(viewedOn)
      viewDays.add(viewedOn)
      return isFirst
    },
  },
})

/** Writes changed counts a part at a time, each with its figures. */
export function* applyChanges(
  { raw, db }: Connection,
  { changes, device }: Recount,
  { accountRow, figures }: { accountRow: number; figures: DayFigures },
): Generator<void> {
  const set = raw.query<{ day: number }, [number, number, number, number, number]>(
    `UPDATE device_entry SET counted = ?1
     WHERE device_row = ?2 AND received_at = ?3 AND sequence = ?4 AND counted = ?5 RETURNING day`,
  )
  for (let from = 0; from < changes.length; from += changesPerStep) {
    db.transaction(
      () => {
        for (const { row, slug, counted } of changes.slice(from, from + changesPerStep)) {
          if (set.get(counted, device.key, row.receivedAt, row.sequence, row.counted) === null) continue
          const change = (bits: number, count: number) => {
            for (const figure of figuresTakenBack(bits, slug)) {
              figures.change(accountRow, { ...figure, day: row.day, count })
            }
          }
          change(row.counted, -1)
          change(counted, 1)
        }
      },
      { behavior: 'immediate' },
    )
    yield
  }
}

/** In the order that is asked for. */
const hitsQuery = `
  SELECT ledger.sequence, ledger.kind, ledger.id, ledger.received_at AS receivedAt, record, checksum,
    day, counted
  FROM json_each(?2) asked
  CROSS JOIN ledger ON ledger.sequence = asked.value
  CROSS JOIN device_entry ON device_row = ?1 AND device_entry.received_at = ledger.received_at
    AND device_entry.sequence = ledger.sequence
  ORDER BY asked.key`
