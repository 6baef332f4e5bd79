import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Aim, GoalSettings } from '../../../src/account/goal.ts'
import type { Entry } from '../../../src/ledger/entry.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { StoredFigures } from '../../../src/report/figures-reader.ts'
import { goalsReport } from '../../../src/report/figures-report.ts'
import type { Connection } from '../../../src/storage/sqlite/database/connection.ts'
import { doneInVisitQuery } from '../../../src/storage/sqlite/processing/goal-rows.ts'
import { ProcessingSteps } from '../../../src/storage/sqlite/steps/step.ts'
import { click, pageView, released, source, submission, trackedEvent } from '../../report/sample-entries.ts'
import { storeEntries } from '../../storage/sqlite/stored-entries.ts'
import { TemporaryDatabase } from '../../storage/sqlite/temporary-database.ts'
import { type ModelledGoals, modelledGoals } from './goals-model.ts'

const minute = 60_000
const begin = Date.UTC(2026, 10, 20, 9)

const aims: Aim[] = [
  { kind: 'page', page: '/offer' },
  { kind: 'page', page: '/thanks' },
  { kind: 'event', event: 'opened' },
  { kind: 'form', form: 'contact1' },
]
const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const anAim = fc.constantFrom(...aims)

const settings: fc.Arbitrary<GoalSettings> = fc
  .uniqueArray(fc.array(anAim, { minLength: 2, maxLength: 5 }), {
    minLength: 1,
    maxLength: 3,
    selector: JSON.stringify,
  })
  .map((funnels) => ({
    goals: aims.map((aim) => ({ name: JSON.stringify(aim), aim })),
    funnels: funnels.map((steps, at) => ({ name: `funnel ${at}`, steps })),
  }))

const something: fc.Arbitrary<Entry> = fc.constantFrom<Entry>(
  pageView({ path: '/offer' }),
  pageView({ path: '/thanks' }),
  pageView({ path: '/elsewhere' }),
  trackedEvent({ event: '$pageview', properties: { path: '/thanks/' } }),
  trackedEvent({ event: 'opened' }),
  trackedEvent({ event: 'nothing that counts' }),
  submission({ email: null, fields: {} }),
  submission({ email: null, fields: {}, formId: 'contact2' }),
  click(),
)

const entries: fc.Arbitrary<Entry[]> = fc
  .array(
    fc.record({
      entry: something,
      deviceId: fc.constantFrom('device-1', 'device-1', 'device-2'),
      gapMs: fc.constantFrom(1000, 5 * minute, 29 * minute, 30 * minute, 26 * 60 * minute),
    }),
    { minLength: 5, maxLength: 60 },
  )
  .map((happened) => {
    let at = begin
    return happened.map(({ entry, deviceId, gapMs }, number) => {
      at += gapMs
      return { ...entry, id: `entry-${number}`, deviceId, receivedAt: at, source: browser }
    })
  })

function processed(connection: Connection): void {
  const steps = new ProcessingSteps(connection, systemClock)
  while (steps.run(1) === 'more') {}
}

const account = (database: TemporaryDatabase, goals: GoalSettings) => database.addAccount('account-a', 'UTC', goals)

function countedGoals(connection: Connection, goals: GoalSettings): ModelledGoals {
  const byName = connection.raw
    .query<StoredFigures['byName'][number], []>(
      'SELECT measure, name, sum(count) AS count FROM day_figure GROUP BY measure, name',
    )
    .all()
  const report = goalsReport(
    goals,
    { byName, goalsSince: [], goalsFirstDone: [] },
    { from: '2026-11-20', days: [], timezone: 'UTC' },
  )
  const counted = (names: [string, number][]) => Object.fromEntries(names.filter(([, count]) => count > 0))
  return {
    visits: counted(report.goals.map(({ name, visits }) => [name, visits])),
    times: counted(report.goals.map(({ name, times }) => [name, times])),
    steps: counted(
      report.funnels.flatMap(({ name, steps }) =>
        steps.map(({ visits }, at): [string, number] => [`${name} ${at + 1}`, visits]),
      ),
    ),
  }
}

test('goals and funnels are those that a look through whole visits finds', async () => {
  await fc.assert(
    fc.asyncProperty(settings, entries, async (goals, happened) => {
      await using database = new TemporaryDatabase()
      account(database, goals)
      storeEntries(database.file, happened)
      const connection = database.connect()
      processed(connection)
      expect(countedGoals(connection, goals)).toEqual(modelledGoals(goals, happened))
    }),
    { numRuns: 50, endOnFailure: true },
  )
})

const form: GoalSettings = { goals: [{ name: 'Lead', aim: { kind: 'form', form: 'contact1' } }], funnels: [] }

async function countedOf(goals: GoalSettings, ...happened: Parameters<typeof storeEntries>[1]): Promise<ModelledGoals> {
  await using database = new TemporaryDatabase()
  account(database, goals)
  storeEntries(database.file, happened)
  const connection = database.connect()
  processed(connection)
  return countedGoals(connection, goals)
}

test('a refused submission counts once it is released, and for no visit', async () => {
  const refused = submission({ status: 'refused', refusedFor: 'honeypot', receivedAt: begin })
  expect(await countedOf(form, pageView({ receivedAt: begin - minute }), refused)).toMatchObject({ times: {} })
  expect(
    await countedOf(form, pageView({ receivedAt: begin - minute }), refused, released(refused.id, begin + minute)),
  ).toEqual({ visits: {}, times: { Lead: 1 }, steps: {} })
})

test('what a server sends counts, and for no visit', async () => {
  const counted = await countedOf(form, submission({ deviceId: null }))
  expect(counted).toEqual({ visits: {}, times: { Lead: 1 }, steps: {} })
})

test('bots and the test page do nothing that counts', async () => {
  const goals: GoalSettings = { goals: [{ name: 'Page', aim: { kind: 'page', page: '/launch' } }], funnels: [] }
  const bot = { source: { ...source, userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' } }
  const counted = await countedOf(goals, pageView(bot), pageView({ id: 'view-2', test: true }))
  expect(counted).toEqual({ visits: {}, times: {}, steps: {} })
})

test('an account without goals has no row of them', async () => {
  await using database = new TemporaryDatabase()
  account(database, { goals: [], funnels: [] })
  storeEntries(database.file, [pageView(), submission({ id: 'submission-2' })])
  const connection = database.connect()
  processed(connection)
  expect(connection.raw.query('SELECT count(*) AS rows FROM goal_entry').get()).toEqual({ rows: 0 })
})

test('a visit that does the same again and again is not read through each time', async () => {
  await using database = new TemporaryDatabase()
  account(database, { goals: [{ name: 'Page', aim: { kind: 'page', page: '/launch' } }], funnels: [] })
  const again = (number: number) =>
    pageView({ id: `view-${number}`, receivedAt: begin + number, path: '/launch', source: browser })
  storeEntries(
    database.file,
    Array.from({ length: 100 }, (_, number) => again(number)),
  )
  const connection = database.connect()
  processed(connection)
  const read = connection.raw.query(doneInVisitQuery).all(1, begin)
  const plan = connection.raw.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${doneInVisitQuery}`).all()
  expect({ rows: read.length, plan: plan.at(-1)?.detail }).toEqual({
    rows: 1,
    plan: 'SEARCH goal_entry USING INDEX goal_entry_counted (device_row=? AND visit_at=?)',
  })
})
