import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { systemClock } from '../../src/lib/clock.ts'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { ProcessingSteps } from '../../src/storage/sqlite/steps/step.ts'
import { aSite } from '../harness/a-site.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { derivedContent, mixedEntry, storeEntries } from '../storage/sqlite/stored-entries.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { expectIntact } from './harness/promises-kept.ts'

// Everything downstream reads the stored records behind a saved cursor (docs/architecture.md), in the running service.

const kills = 6
/** It is killed so much later than it was first seen to process. */
const laterMsMax = 15
/** More than so many services process in the time that they are mostly given. */
const waitingEntries = 10_000
const finishMsMax = 60_000

/** A box with more to process than a service gets through before it is stopped. */
let filled: BinaryBox

beforeAll(async () => {
  filled = await BinaryBox.make()
  await filled.apply(aSite())
  const accountId = firstValue<string>(filled, 'SELECT id FROM account')
  const entries = Array.from({ length: waitingEntries }, (_, number) => mixedEntry(accountId, number))
  storeEntries(filled.databaseFile, entries)
})
afterAll(() => filled[Symbol.asyncDispose]())

test('what an idle service has captured is processed within a second', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  await using server = await box.serve()
  await server.send(formRequest())
  await server.send(eventRequest())
  await eventually('both are processed', async () => cursorOf(box) === 2)
  expect(await server.stop()).toEqual({ status: 0, signal: null })
})

test(`killed ${kills} times while it processes, it makes what one that was left alone makes`, async () => {
  await using box = await filled.copy()
  const expected = processedAlone(copyOf(box))
  for (let kill = 0; kill < kills; ) {
    const before = cursorOf(box)
    await using server = await box.serve()
    await eventually('it processes', async () => cursorOf(box) > before)
    await Bun.sleep(Math.random() * laterMsMax)
    server.signal('SIGKILL')
    expect(await server.ended()).toMatchObject({ signal: 'SIGKILL' })
    if (cursorOf(box) < waitingEntries) kill++
    else {
      // The machine gave the service more time than this test: what it has made is compared, and it begins anew.
      expectSame(box, expected)
      filled.copyTo(box)
    }
  }
  await using _last = await box.serve()
  await allProcessed(box)
  expectSame(box, expected)
  expectIntact(box)
})

test('told to stop while it processes, it ends at once and leaves the rest for later', async () => {
  for (let isInTime = false; !isInTime; ) {
    await using box = await filled.copy()
    await using server = await box.serve()
    await eventually('it processes', async () => cursorOf(box) > 0)
    expect(await server.stop()).toEqual({ status: 0, signal: null })
    // Where the machine gives the service more time than this test, nothing is left, and it is tried again.
    isInTime = cursorOf(box) < waitingEntries
  }
})

function expectSame(box: BinaryBox, expected: Record<string, string[]>): void {
  using database = new Database(box.databaseFile, { readonly: true, strict: true })
  expect(differences(derivedContent(database), expected)).toEqual([])
}

/** However slow the machine is: it fails where the service makes no headway. */
async function allProcessed(box: BinaryBox): Promise<void> {
  for (let reached = cursorOf(box); reached < waitingEntries; ) {
    const before = reached
    await eventually('it processes more', async () => {
      reached = cursorOf(box)
      return reached > before
    })
  }
}

const cursorOf = (box: BinaryBox): number => firstValue<number>(box, 'SELECT cursor FROM processing')

function firstValue<T>({ databaseFile }: BinaryBox, sql: string): T {
  using database = new Database(databaseFile, { readonly: true, strict: true })
  const [[value] = []] = database.query(sql).values()
  return value as T
}

/** The database as it is now. */
function copyOf({ databaseFile, dir }: BinaryBox): string {
  const copy = join(dir, 'untouched.db')
  using database = new Database(databaseFile, { strict: true })
  database.run('VACUUM INTO ?', [copy])
  return copy
}

function processedAlone(file: string): Record<string, string[]> {
  const connection = openConnection(file)
  const steps = new ProcessingSteps(connection, systemClock)
  while (steps.run(finishMsMax) === 'more');
  const content = derivedContent(connection.raw)
  connection.raw.close()
  return content
}

/** The first rows of each table that the two do not have alike: all of them would drown whoever reads it. */
function differences(one: Record<string, string[]>, other: Record<string, string[]>): object[] {
  const tables = Object.keys(one)
  expect(Object.keys(other)).toEqual(tables)
  return tables.flatMap((table) => {
    const [here = [], there = []] = [one[table], other[table]]
    const at = Array.from({ length: Math.max(here.length, there.length) }, (_, row) => row)
    return at
      .filter((row) => here[row] !== there[row])
      .slice(0, 3)
      .map((row) => ({ table, here: here[row], there: there[row] }))
  })
}
