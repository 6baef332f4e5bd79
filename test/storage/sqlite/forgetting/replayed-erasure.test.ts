// A ledger with decisions in it, folded again in an empty box, gives the same box (docs/decisions/0047).
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import type { LedgerEntry } from '../../../../src/ledger/decision.ts'
import type { Entry } from '../../../../src/ledger/entry.ts'
import type { ErasureQuery } from '../../../../src/processing/erasure.ts'
import { type Connection, openConnection } from '../../../../src/storage/sqlite/database/connection.ts'
import { SqlitePersonReader } from '../../../../src/storage/sqlite/persons/person-reader.ts'
import { processAll, replayLedger } from '../../../harness/replayed-ledger.ts'
import { collision } from '../../../processing/a-collision.ts'
import { released } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { devices, entriesOf, erased, happenings, hits, minute, type World } from '../shared-devices.ts'

const runs = 25

const world: World = {
  whats: [
    'view',
    'view',
    'script view',
    'event',
    'click',
    'lead',
    'repeat',
    'repeat',
    'refused',
    'refused',
    'identify',
  ],
  devices: [0, 0, 1],
  gapsMs: [0, 4 * minute, 10 * minute, 31 * minute, 26 * 60 * minute],
}

const facts = `
  SELECT id, status, released_at, duplicate_of, first_touch, last_touch, page_slug, lead_day, lead_source
  FROM submission_fact ORDER BY id`
const verdicts = 'SELECT ledger.id, verdict, reasons FROM click_fact JOIN ledger USING (sequence) ORDER BY ledger.id'
const figures = 'SELECT account_row, day, measure, name, count FROM day_figure WHERE count <> 0 ORDER BY 1, 2, 3, 4'

async function stateOf(connection: Connection) {
  const tables = [figures, devices, hits, facts, verdicts].map((query) => connection.raw.query(query).all())
  const persons = await new SqlitePersonReader(connection).page({ accountId: 'account-a', after: null, limit: 10 })
  return { tables, persons: persons.map(({ person }) => person).sort((one, other) => (one.id < other.id ? -1 : 1)) }
}

/** An operator releases every refused submission, so many entries after it came. */
const withReleases = (entries: readonly Entry[], behind: number): LedgerEntry[] =>
  entries.flatMap((entry, place): LedgerEntry[] => {
    const kept = entries[place - behind]
    const isReleased = kept?.kind === 'submission' && kept.status === 'refused'
    return isReleased ? [released(kept.id, entry.receivedAt), entry] : [entry]
  })

const onSharedDevices = fc
  .tuple(happenings(world), fc.integer({ min: 1, max: 9 }))
  .map(([happened, behind]) => withReleases(entriesOf(happened), behind))

const cases: [string, fc.Arbitrary<LedgerEntry[]>, string, Partial<ErasureQuery>][] = [
  ['people who share devices', onSharedDevices, erased, {}],
  ['bursts, repeats and records that came late', collision, 'ada@acme.example', { recipients: ['to-ada'] }],
]

test.each(cases)('an erasure and releases, wherever they stand in the ledger: %s', async (_, ledgers, email, query) => {
  await fc.assert(
    fc.asyncProperty(
      ledgers,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 20 }),
      async (entries, erasedAt, entriesPerStep) => {
        await using box = new AForgettingBox()
        const cut = Math.round(erasedAt * entries.length)
        box.capture(...entries.slice(0, cut))
        await box.erase(email, query)
        box.capture(...entries.slice(cut))
        const file = join(box.database.dir, 'replayed.db')
        replayLedger(box.database.file, file)
        processAll(file, entriesPerStep)
        const connection = openConnection(file)
        expect(await stateOf(connection)).toEqual(await stateOf(box.connection))
        connection.raw.close()
      },
    ),
    { numRuns: runs },
  )
})
