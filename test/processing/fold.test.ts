// Load, fold, keep (docs/decisions/0040): what is made of a ledger does not depend on the steps in which it is folded.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { LedgerEntry } from '../../src/ledger/decision.ts'
import type { Connection } from '../../src/storage/sqlite/database/connection.ts'
import { type FoldedRow, Folding } from '../../src/storage/sqlite/processing/folding.ts'
import { click, pageView, submission } from '../report/sample-entries.ts'
import { derivedContent, storeEntries } from '../storage/sqlite/stored-entries.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'
import { collision } from './a-collision.ts'
import { sampleGoals } from './goals/sample-goals.ts'

/** A step: how many entries it folds, and whether it dies before it is kept. */
interface Step {
  entries: number
  dies: boolean
}

const one: Step = { entries: 1, dies: false }
/** More than any ledger here has. */
const all: Step = { entries: 1000, dies: false }

const aStep: fc.Arbitrary<Step> = fc.record({
  entries: fc.integer({ min: 1, max: 25 }),
  dies: fc.constantFrom(true, false, false, false),
})

class Death extends Error {}

/** What is made of the entries in these steps, the last of them as often as it takes. */
async function folded(entries: readonly LedgerEntry[], steps: readonly Step[]): Promise<Record<string, string[]>> {
  await using database = new TemporaryDatabase()
  for (const id of ['account-a', 'account-b']) database.addAccount(id, 'Europe/Berlin', sampleGoals)
  if (entries.length > 0) storeEntries(database.file, entries)
  const connection = database.connect()
  const rows = rowsOf(connection)
  let behind = 0
  for (let number = 0; behind < rows.length; number++) {
    const step = steps[Math.min(number, steps.length - 1)] ?? all
    behind = take(rows, behind, { connection, step: number < steps.length ? step : { ...step, dies: false } })
  }
  return derivedContent(connection.raw)
}

const rowsOf = ({ raw }: Connection): FoldedRow[] =>
  raw
    .query<FoldedRow, []>(
      `SELECT sequence, account_row AS accountRow, kind, id, received_at AS receivedAt, record, checksum
       FROM ledger ORDER BY sequence`,
    )
    .all()

/** One step by a process of its own; answers how many rows have been folded then. */
function take(rows: FoldedRow[], behind: number, { connection, step }: { connection: Connection; step: Step }): number {
  const end = Math.min(behind + step.entries, rows.length)
  const folding = new Folding(connection)
  const work = () => {
    const fold = folding.begin()
    for (const row of rows.slice(behind, end)) {
      const item = folding.item(row)
      if (item !== null) fold.add(item)
    }
    fold.keep()
    if (step.dies) throw new Death()
  }
  try {
    connection.db.transaction(work, { behavior: 'immediate' })
  } catch (error) {
    if (error instanceof Death) return behind
    throw error
  }
  return end
}

describe('folding a ledger', () => {
  test('makes the same in steps of any size, cut anywhere and killed anywhere, as entry by entry', async () => {
    await fc.assert(
      fc.asyncProperty(collision, fc.array(aStep, { minLength: 1, maxLength: 12 }), async (entries, steps) => {
        const expected = await folded(entries, [one])
        expect(await folded(entries, steps)).toEqual(expected)
        expect(await folded(entries, [all])).toEqual(expected)
      }),
      { numRuns: 20 },
    )
  })

  test('tells a submission again when the view that led to it comes in the same step, and in the next', async () => {
    const at = pageView().receivedAt
    const late = [
      submission({ receivedAt: at + 5 }),
      pageView({ receivedAt: at, attribution: { utm_source: 'google', utm_medium: 'cpc' } }),
    ]
    const [apart, together] = [await folded(late, [one]), await folded(late, [all])]
    expect(together).toEqual(apart)
    expect(together.submission_fact?.[0]).toContain('"lead_source":"google"')
  })

  test('makes the same of more clicks in a group than are compared with each other', async () => {
    const aClick = fc.record({
      id: fc.uuid(),
      deviceId: fc.constantFrom('device-1', 'device-2'),
      url: fc
        .constantFrom('launch', 'launch', 'launch', 'pricing', 'team')
        .map((path) => `https://go.acme.example/${path}`),
      receivedAt: fc.nat({ max: 30_000 }).map((ms) => click().receivedAt + ms),
    })
    const crowd = fc.uniqueArray(aClick, { minLength: 80, maxLength: 150, selector: ({ id }) => id })
    await fc.assert(
      fc.asyncProperty(crowd, fc.array(aStep, { minLength: 1, maxLength: 12 }), async (clicks, steps) => {
        const entries = clicks.map((fields) => click(fields))
        const expected = await folded(entries, [one])
        expect(await folded(entries, steps)).toEqual(expected)
        expect(await folded(entries, [all])).toEqual(expected)
      }),
      { numRuns: 3 },
    )
  })

  test('finds a burst among clicks of one step as among those of several', async () => {
    const paths = ['launch', 'pricing', 'team', 'terms']
    const scanned = paths.map((path, number) =>
      click({ id: path, url: `https://go.acme.example/${path}`, receivedAt: click().receivedAt + number }),
    )
    const [apart, together] = [await folded(scanned, [one]), await folded(scanned, [all])]
    expect(together).toEqual(apart)
    for (const fact of together.click_fact ?? []) expect(fact).toContain('burst')
  })
})
