// Pages of the database file that a disk has damaged: the ledger reads on behind them and names what it leaves out.
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import type { Entry } from '../../../../src/ledger/entry.ts'
import type { LedgerRow, LeftOut } from '../../../../src/ledger/ledger.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { GroupCommit } from '../../../../src/storage/sqlite/commit/group-commit.ts'
import { InlineCommitter } from '../../../../src/storage/sqlite/commit/inline-committer.ts'
import { openReader } from '../../../../src/storage/sqlite/database/connection.ts'
import { SqliteLedger } from '../../../../src/storage/sqlite/ledger/ledger.ts'
import { DatabasePages } from '../../../harness/damaged-pages.ts'
import { submission } from '../../../report/sample-entries.ts'
import { mixedEntry, storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const accountIds = ['account-a', 'account-b']
const entryCount = 6000
const long = 'x'.repeat(9000)
const entries: Entry[] = Array.from({ length: entryCount }, (_, number) => {
  const accountId = accountIds[number % 3 === 0 ? 1 : 0] ?? ''
  const { id, receivedAt } = mixedEntry(accountId, number)
  if (number % 500 === 250) return submission({ id, accountId, receivedAt, fields: { long } })
  return mixedEntry(accountId, number)
})

const intact = new TemporaryDatabase()
afterAll(() => intact[Symbol.asyncDispose]())
for (const id of accountIds) intact.addAccount(id)
storeEntries(intact.file, entries)
const pages = new DatabasePages(intact.file)
const table = {
  leaves: pages.of('ledger', 'leaf'),
  interiors: pages.of('ledger', 'internal'),
  overflows: pages.of('ledger', 'overflow'),
}
const index = { leaves: pages.of('ledger_by_account', 'leaf'), interiors: pages.of('ledger_by_account', 'internal') }
const byId = { leaves: pages.of('ledger_submission_by_id', 'leaf') }

interface Read {
  rows: LedgerRow[]
  leftOut: LeftOut[]
}

async function readAll(file: string, accountId: string, period: { receivedFrom?: number } = {}): Promise<Read> {
  const reader = openReader(file)
  const ledger = new SqliteLedger(reader, new GroupCommit(new InlineCommitter(file, systemClock), systemClock))
  const read: Read = { rows: [], leftOut: [] }
  for (let after: string | null = null; ; ) {
    const onUnreadable = (leftOut: LeftOut) => read.leftOut.push(leftOut)
    const rows = await ledger.readAfter({ accountId, after, limit: 100, onUnreadable, ...period })
    read.rows.push(...rows)
    after = rows.at(-1)?.cursor ?? null
    if (rows.length < 100) break
  }
  reader.raw.close()
  return read
}

/** What is read of the damaged file is as it was captured, in order; and of what is not, each record is named. */
async function readDamaged(damage: (pages: DatabasePages) => void): Promise<Read> {
  const copy = `${intact.file}-damaged`
  copyFileSync(intact.file, copy)
  damage(new DatabasePages(copy))
  const all: Read = { rows: [], leftOut: [] }
  for (const accountId of accountIds) {
    const { rows, leftOut } = await readAll(copy, accountId)
    const numbers = rows.map(({ cursor }) => Number(cursor))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
    expect(rows.find(({ cursor, entry }) => !Bun.deepEquals(entry, entries[Number(cursor) - 1]))).toBeUndefined()
    const seen = new Set(numbers)
    for (const [at, { accountId: owner, id }] of entries.entries()) {
      if (owner !== accountId || seen.has(at + 1)) continue
      const isNamed = leftOut.some((left) =>
        left.fault === 'missing' ? Number(left.first) <= at + 1 && at + 1 <= Number(left.last) : left.id === id,
      )
      if (!isNamed) expect(`record ${at + 1}`).toBe('named')
    }
    all.rows.push(...rows)
    all.leftOut.push(...leftOut)
  }
  return all
}

test('the file has every kind of page that is damaged here', () => {
  expect(table.leaves.length).toBeGreaterThan(100)
  expect(table.interiors.length).toBeGreaterThan(1)
  expect(table.overflows.length).toBeGreaterThan(1)
  expect(index.leaves.length).toBeGreaterThan(3)
  expect(index.interiors.length).toBeGreaterThan(0)
})

test('of an intact file nothing is left out', async () => {
  const { rows, leftOut } = await readDamaged(() => {})
  expect({ rows: rows.length, leftOut }).toEqual({ rows: entryCount, leftOut: [] })
})

const fills = ['fillWithGarbage', 'fillWithZeros'] as const

test.each(fills)('%s of a leaf, first, in the middle and last: only its own rows are missing', async (fill) => {
  for (const at of [0, Math.floor(table.leaves.length / 2), table.leaves.length - 1]) {
    const { rows, leftOut } = await readDamaged((damaged) => damaged[fill](table.leaves[at] ?? 0))
    expect(entryCount - rows.length).toBeWithin(1, 30)
    const missing = leftOut.map((left) => (left.fault === 'missing' ? left.count : Number.NaN))
    expect(missing.reduce((sum: number, count) => sum + (count ?? Number.NaN), 0)).toBe(entryCount - rows.length)
  }
})

test.each(fills)('%s of many leaves: what lies between them is read', async (fill) => {
  const every = table.leaves.filter((_, at) => at % 3 === 1)
  const { rows } = await readDamaged((damaged) => damaged[fill](...every))
  expect(rows.length).toBeWithin(entryCount / 2, entryCount * 0.75)
})

test.each(fills)('%s of inner pages and of the root of the table', async (fill) => {
  for (const page of table.interiors) {
    const { rows, leftOut } = await readDamaged((damaged) => damaged[fill](page))
    expect(rows.length).toBeLessThan(entryCount)
    expect(leftOut.every((left) => left.fault === 'missing' && left.count !== null)).toBe(true)
  }
})

test.each(fills)('%s of any page of the index: all records are read by the table', async (fill) => {
  for (const page of [index.leaves[0] ?? 0, index.leaves[7] ?? 0, ...index.interiors]) {
    const { rows, leftOut } = await readDamaged((damaged) => damaged[fill](page))
    expect({ rows: rows.length, leftOut }).toEqual({ rows: entryCount, leftOut: [] })
  }
})

test('a leaf of the table and the index with it: the numbers are named, though not how many there are', async () => {
  const middle = table.leaves[Math.floor(table.leaves.length / 2)] ?? 0
  const { rows, leftOut } = await readDamaged((damaged) =>
    damaged.fillWithGarbage(middle, ...index.interiors, ...index.leaves),
  )
  expect(entryCount - rows.length).toBeWithin(1, 30)
  expect(leftOut).toContainEqual(expect.objectContaining({ fault: 'missing', count: null }))
})

test('both trees from the root on: nothing can be read, and reading comes to an end that says so', async () => {
  const { rows, leftOut } = await readDamaged((damaged) =>
    damaged.fillWithZeros(...table.interiors, ...index.interiors),
  )
  expect(rows).toEqual([])
  expect(leftOut).toContainEqual(expect.objectContaining({ fault: 'missing', first: '1', last: String(entryCount) }))
})

test('an overflow page: the one record is left out', async () => {
  for (const page of table.overflows.slice(0, 4)) {
    const { rows } = await readDamaged((damaged) => damaged.fillWithGarbage(page))
    expect(entryCount - rows.length).toBe(1)
  }
})

test('a page in the place of another', async () => {
  const [one = 0, , other = 0] = table.leaves
  expect((await readDamaged((damaged) => damaged.copy(one, other))).rows.length).toBeLessThan(entryCount)
  const [first = 0, second = 0] = index.leaves
  await readDamaged((damaged) => damaged.copy(table.leaves[0] ?? 0, second))
  expect((await readDamaged((damaged) => damaged.copy(table.leaves[0] ?? 0, first))).rows.length).toBe(entryCount)
})

test('a changed byte in a record: it is left out, and called changed', async () => {
  const { leftOut } = await readDamaged((damaged) =>
    damaged.replaceText('"message":"number 7"', '"message":"number 8"'),
  )
  expect(leftOut.map(({ fault, ...left }) => [fault, 'id' in left && left.id])).toEqual([['changed', 'entry-7']])
})

test('what is missing is named by the ids that the index of submissions has, and by its neighbours’ receipt', async () => {
  const { leftOut } = await readDamaged((damaged) => damaged.fillWithGarbage(table.leaves[5] ?? 0))
  const missing = leftOut.filter((left) => left.fault === 'missing')
  const ids = missing.flatMap((left) => left.ids)
  expect(ids).not.toBeEmpty()
  for (const { ids, first, last, receivedAfter, receivedBefore } of missing) {
    const within = entries.slice(Number(first) - 1, Number(last))
    for (const id of ids) expect(within.map((entry) => entry.id)).toContain(id)
    expect([receivedAfter, receivedBefore]).not.toContain(null)
  }
  const alsoById = await readDamaged((damaged) => damaged.fillWithGarbage(table.leaves[5] ?? 0, ...byId.leaves))
  expect(alsoById.leftOut.flatMap((left) => (left.fault === 'missing' ? left.ids : []))).toEqual([])
})

test('what is missing long before the period that is asked for is not spoken of', async () => {
  const copy = `${intact.file}-early`
  copyFileSync(intact.file, copy)
  new DatabasePages(copy).fillWithGarbage(table.leaves[1] ?? 0)
  const receivedFrom = entries[2000]?.receivedAt ?? 0
  const { rows, leftOut } = await readAll(copy, 'account-a', { receivedFrom })
  const wanted = entries.filter((entry) => entry.accountId === 'account-a' && entry.receivedAt >= receivedFrom)
  expect({ rows: rows.length, leftOut }).toEqual({ rows: wanted.length, leftOut: [] })
})
