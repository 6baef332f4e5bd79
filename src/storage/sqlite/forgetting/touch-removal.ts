import { isDirect, type Touch } from '../../../processing/attribution/touch.ts'
import { Touches } from '../../../processing/attribution/touches.ts'
import type { DeviceKey } from '../../../processing/devices.ts'
import type { SubmissionOrigin } from '../../../processing/submissions/submission-fact.ts'
import { leadSource } from '../../../processing/submissions/submission-origin.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import type { Interval } from '../persons/intervals.ts'
import { SqliteFoldStore } from '../processing/fold-store.ts'
import type { DayFigures } from '../refolding/day-figures.ts'
import { LeadSources } from '../refolding/lead-sources.ts'
import { DirectViews } from './direct-views.ts'
import { ErasedTimes } from './erased-times.ts'
import type { FoundRecord } from './own-records.ts'
import { PagesLeft } from './pages-left.ts'

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
 * Takes the touches and pages that erased records told out of the submissions that stay: what is left of the device's
 * tells where those came from, and what they had before them, and nothing does when none is left. Call before the records
 * go, by which an interrupted erasure finds them again.
 */
export class TouchRemoval {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly store: SqliteFoldStore
  private readonly directViews: DirectViews
  private readonly sources: LeadSources

  constructor(
    private readonly connection: Connection,
    private readonly figures: DayFigures,
  ) {
    this.statements = prepareStatements(connection)
    this.store = new SqliteFoldStore(connection, Number)
    this.directViews = new DirectViews(connection)
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
      await this.directViews.keepFirst(deviceRow, { times, sequences: erased })
      const cut = (await this.submissionsOf(deviceRow, times)).filter((sequence) => !erased.has(sequence))
      if (cut.length === 0) continue
      const pages = await PagesLeft.of(this.connection, deviceRow, erased)
      await this.inSteps(cut, (sequence) => this.tellAgain(sequence, { deviceRow, times, pages }))
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

  /** Those of the device that name an erased touch or page. */
  private async submissionsOf(deviceRow: number, times: ErasedTimes): Promise<number[]> {
    const found: number[] = []
    for (let after = { receivedAt: -1, sequence: 0 }; ; ) {
      const rows = this.statements.page.all(deviceRow, after.receivedAt, after.sequence)
      for (const { sequence, first, last, pageAt } of rows) {
        if ([first, last, pageAt].some((at) => times.has(deviceRow, at))) found.push(sequence)
      }
      const lastRow = rows.at(-1)
      if (lastRow === undefined) return found
      after = lastRow
      await Bun.sleep(0)
    }
  }

  private tellAgain(sequence: number, { deviceRow, times, pages }: Cut): void {
    const fact = this.statements.fact.get(sequence)
    if (fact === null) return
    const left = new Touches(this.store.load).upTo(deviceRow as DeviceKey, { at: fact.receivedAt, id: fact.id })
    const kept = { first: touchIn(fact.first), last: touchIn(fact.last) }
    const first = times.has(deviceRow, kept.first?.at ?? null) ? left.first : kept.first
    const lastLeft = left.last !== null && !isDirect(left.last) ? left.last : first
    const last = times.has(deviceRow, kept.last?.at ?? null) ? lastLeft : kept.last
    this.statements.amend.run(textOf(first), textOf(last), sequence)
    if (times.has(deviceRow, fact.pageAt)) {
      this.keepPage(sequence, pages.before({ receivedAt: fact.receivedAt, sequence }))
    }
    if (leadSource({ last }) !== leadSource({ last: kept.last })) this.moveLead(sequence, fact, last)
  }

  private keepPage(sequence: number, page: SubmissionOrigin['page']): void {
    this.statements.keepPage.run(page?.at ?? null, page?.slug ?? null, page?.sha256 ?? null, sequence)
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

/** What an erasure leaves of a device. */
interface Cut {
  deviceRow: number
  times: ErasedTimes
  pages: PagesLeft
}

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
  pageAt: number | null
}

interface FactRow {
  accountRow: number
  id: string
  receivedAt: number
  first: string | null
  last: string | null
  leadDay: number | null
  leadSource: string | null
  pageAt: number | null
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
      `SELECT received_at AS receivedAt, sequence, first_touch ->> '$.at' AS first, last_touch ->> '$.at' AS last,
         page_at AS pageAt
       FROM submission_fact WHERE device_row = ? AND (received_at, sequence) > (?, ?)
       ORDER BY received_at, sequence LIMIT ${rowsPerTurn}`,
    ),
    fact: raw.query<FactRow, [number]>(
      `SELECT account_row AS accountRow, id, received_at AS receivedAt, first_touch AS first, last_touch AS last,
         lead_day AS leadDay, lead_source AS leadSource, page_at AS pageAt
       FROM submission_fact WHERE sequence = ?`,
    ),
    amend: raw.query<null, [string | null, string | null, number]>(
      'UPDATE submission_fact SET first_touch = ?, last_touch = ? WHERE sequence = ?',
    ),
    keepPage: raw.query<null, [number | null, string | null, string | null, number]>(
      'UPDATE submission_fact SET page_at = ?, page_slug = ?, page_sha256 = ? WHERE sequence = ?',
    ),
    moveLead: raw.query<null, [string, number]>('UPDATE submission_fact SET lead_source = ? WHERE sequence = ?'),
  }
}
