import type { Touch } from '../../../processing/attribution/touch.ts'
import type { DeviceKey } from '../../../processing/device-state.ts'
import { leadSource } from '../../../processing/submissions/submission-origin.ts'
import { breath } from '../breath.ts'
import type { Connection } from '../connection.ts'
import { entryKinds } from '../ledger-codec.ts'
import type { Interval } from '../persons/intervals.ts'
import { SqliteTouchState } from '../processing/touch-state.ts'
import type { DayFigures } from './day-figures.ts'
import { ErasedTimes } from './erased-times.ts'
import { LeadSources } from './lead-sources.ts'
import type { FoundRecord } from './own-records.ts'

/** Records and submissions looked at before others get their turn. */
const rowsPerTurn = 500
/** Touches removed, or submissions changed, in one transaction: a few milliseconds. */
const changesPerStep = 50

export interface ErasedRecords {
  records: readonly FoundRecord[]
  /** What was the erased person's of their devices: a record that has expired may have told a touch as well. */
  intervals: readonly Interval[]
}

/**
 * Takes the touches that erased records told out of the submissions that stay: what is left of the device's touches
 * tells where those came from, and nothing does when none is left. Call before the records go, by which an interrupted
 * erasure finds the touches again.
 */
export class TouchRemoval {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly touches: SqliteTouchState
  private readonly sources: LeadSources

  constructor(
    private readonly connection: Connection,
    private readonly figures: DayFigures,
  ) {
    this.statements = prepareStatements(connection)
    this.touches = new SqliteTouchState(connection)
    this.sources = new LeadSources(connection)
  }

  async remove({ records, intervals }: ErasedRecords): Promise<void> {
    const times = new ErasedTimes(intervals)
    const hits = records.filter(({ kind }) => kind !== entryKinds.submission).map(({ sequence }) => sequence)
    for (let from = 0; from < hits.length; from += rowsPerTurn) {
      const told = this.statements.told.all(JSON.stringify(hits.slice(from, from + rowsPerTurn)))
      for (const { deviceRow, at } of told) times.add(deviceRow, at)
      await this.inSteps(
        told.filter(({ isTouch }) => isTouch === 1),
        ({ deviceRow, at, id }) => this.statements.removeTouch.run(deviceRow, at, id),
      )
    }
    const erased = new Set(records.map(({ sequence }) => sequence))
    for (const deviceRow of times.deviceRows) {
      const cut = (await this.submissionsOf(deviceRow, times)).filter((sequence) => !erased.has(sequence))
      await this.inSteps(cut, (sequence) => this.tellAgain(sequence, deviceRow, times))
    }
  }

  private async inSteps<Item>(items: readonly Item[], change: (item: Item) => void): Promise<void> {
    for (let from = 0; from < items.length; from += changesPerStep) {
      this.connection.db.transaction(() => items.slice(from, from + changesPerStep).forEach(change), {
        behavior: 'immediate',
      })
      await breath()
    }
  }

  /** Those of the device that name an erased touch. */
  private async submissionsOf(deviceRow: number, times: ErasedTimes): Promise<number[]> {
    const found: number[] = []
    for (let after = { receivedAt: -1, sequence: 0 }; ; ) {
      const rows = this.statements.page.all(deviceRow, after.receivedAt, after.sequence)
      for (const { sequence, first, last } of rows) {
        if (times.has(deviceRow, first) || times.has(deviceRow, last)) found.push(sequence)
      }
      const lastRow = rows.at(-1)
      if (lastRow === undefined) return found
      after = lastRow
      await Bun.sleep(0)
    }
  }

  private tellAgain(sequence: number, deviceRow: number, times: ErasedTimes): void {
    const fact = this.statements.fact.get(sequence)
    if (fact === null) return
    const left = this.touches.upTo(deviceRow as DeviceKey, { at: fact.receivedAt, id: fact.id })
    const kept = { first: touchIn(fact.first), last: touchIn(fact.last) }
    const first = times.has(deviceRow, kept.first?.at ?? null) ? left.first : kept.first
    const last = times.has(deviceRow, kept.last?.at ?? null) ? (left.last ?? first) : kept.last
    this.statements.amend.run(textOf(first), textOf(last), sequence)
    if (leadSource({ last }) !== leadSource({ last: kept.last })) this.moveLead(sequence, fact, last)
  }

  /** A likely duplicate counts for no source. */
  private moveLead(sequence: number, { accountRow, leadDay: day, leadSource: before }: FactRow, last: Touch | null) {
    if (day === null || before === null) return
    this.figures.change(accountRow, { day, measure: 'lead_source', name: before, count: -1 })
    const source = this.sources.of(last, { accountRow, day })
    this.figures.change(accountRow, { day, measure: 'lead_source', name: source, count: 1 })
    this.statements.moveLead.run(source, sequence)
  }
}

const touchIn = (text: string | null): Touch | null => (text === null ? null : (JSON.parse(text) as Touch))
const textOf = (touch: Touch | null): string | null => touch && JSON.stringify(touch)

interface ToldRow {
  deviceRow: number
  /** Epoch milliseconds. */
  at: number
  id: string
  isTouch: number
}

interface PageRow {
  receivedAt: number
  sequence: number
  /** When the touches were, as they say it. */
  first: string | null
  last: string | null
}

interface FactRow {
  accountRow: number
  id: string
  receivedAt: number
  first: string | null
  last: string | null
  leadDay: number | null
  leadSource: string | null
}

function prepareStatements({ raw }: Connection) {
  return {
    // A record that was set aside may be no JSON at all.
    told: raw.query<ToldRow, [string]>(
      `SELECT device.row AS deviceRow, ledger.received_at AS at, ledger.id,
         EXISTS (SELECT 1 FROM touch WHERE device_row = device.row AND touch.received_at = ledger.received_at
           AND entry_id = ledger.id) AS isTouch
       FROM json_each(?) asked
       CROSS JOIN ledger ON ledger.sequence = asked.value
       CROSS JOIN device ON device.account_row = ledger.account_row
         AND device.id = CASE WHEN json_valid(record) THEN record ->> '$.deviceId' END`,
    ),
    removeTouch: raw.query<null, [number, number, string]>(
      'DELETE FROM touch WHERE device_row = ? AND received_at = ? AND entry_id = ?',
    ),
    page: raw.query<PageRow, [number, number, number]>(
      `SELECT received_at AS receivedAt, sequence, first_touch ->> '$.at' AS first, last_touch ->> '$.at' AS last
       FROM submission_fact WHERE device_row = ? AND (received_at, sequence) > (?, ?)
       ORDER BY received_at, sequence LIMIT ${rowsPerTurn}`,
    ),
    fact: raw.query<FactRow, [number]>(
      `SELECT account_row AS accountRow, id, received_at AS receivedAt, first_touch AS first, last_touch AS last,
         lead_day AS leadDay, lead_source AS leadSource
       FROM submission_fact WHERE sequence = ?`,
    ),
    amend: raw.query<null, [string | null, string | null, number]>(
      'UPDATE submission_fact SET first_touch = ?, last_touch = ? WHERE sequence = ?',
    ),
    moveLead: raw.query<null, [string, number]>('UPDATE submission_fact SET lead_source = ? WHERE sequence = ?'),
  }
}
