import type { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { emptyBatch, type WriteBatch } from '../../../../src/capture/write-batch.ts'
import { batchesFormat } from '../../../../src/cluster/cluster-committer.ts'
import type { IntakeBatch, Link } from '../../../../src/cluster/cluster-log.ts'
import { Following } from '../../../../src/cluster/following.ts'
import { LinkOutOfOrder, TwoHistories } from '../../../../src/cluster/replica.ts'
import type { Entry } from '../../../../src/ledger/entry.ts'
import { newId } from '../../../../src/lib/id.ts'
import { assertOurs } from '../../../../src/storage/sqlite/backup/box-databases.ts'
import { unsharedIn } from '../../../../src/storage/sqlite/cluster/astray-database.ts'
import { SqliteReplica } from '../../../../src/storage/sqlite/cluster/sqlite-replica.ts'
import { encodeEntries, joinEntries } from '../../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { isFollowed, noteUnlinkable } from '../../../../src/storage/sqlite/lookup/following.ts'
import { DeliveredElsewhere } from '../../../../src/storage/sqlite/processing/delivery-rows.ts'
import { linkedTables, tables } from '../../../../src/storage/sqlite/schema/tables.ts'
import { APair, process, replicaOf } from '../../../cluster/a-pair.ts'
import { submission } from '../../../report/sample-entries.ts'
import { mixedEntry, storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

/** A pair whose leader has the account `account-a`. */
class AClusterOfTwo implements AsyncDisposable {
  readonly database = new TemporaryDatabase()
  readonly pair: APair

  constructor() {
    this.database.addAccount('account-a')
    this.pair = new APair(this.database.file)
  }

  /** A statement on the leader. */
  run(sql: string): void {
    this.pair.connection.raw.run(sql)
  }

  capture(from: number, to: number): void {
    const numbers = Array.from({ length: to - from }, (_, at) => from + at)
    storeEntries(
      this.database.file,
      numbers.map((number) => mixedEntry('account-a', number)),
    )
    process(this.pair.connection)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.pair[Symbol.dispose]()
    await this.database[Symbol.asyncDispose]()
  }
}

const closing = (replica: SqliteReplica): SqliteReplica & Disposable =>
  Object.assign(replica, { [Symbol.dispose]: () => replica.close() })

const batchOf = (numbers: number[], others: Partial<WriteBatch> = {}): IntakeBatch =>
  batchWith(
    numbers.map((number) => mixedEntry('account-a', number)),
    others,
  )

const batchWith = (entries: Entry[], others: Partial<WriteBatch> = {}): IntakeBatch => {
  const batch = { ...emptyBatch, entries: joinEntries(encodeEntries(entries)), ...others }
  const body = Bun.zstdCompressSync(JSON.stringify([batch]))
  return { id: newId(), node: 'b', format: batchesFormat, entries: entries.length, body: new Uint8Array(body) }
}

/** A node that joined from the leader's database as it is now. */
function copied({ connection, dir }: APair): SqliteReplica & Disposable {
  const file = join(dir, 'joined.db')
  connection.raw.run('VACUUM INTO ?', [file])
  const replica = replicaOf(file)
  replica.join()
  return Object.assign(replica, { [Symbol.dispose]: () => replica.close() })
}

const rowsOf = (raw: Database, table: string) => raw.query(`SELECT * FROM ${table}`).all()

const suffix = (row: number, name: string) =>
  `INSERT INTO domain_suffix (rowid, account_row, suffix) VALUES (${row}, 1, '${name}')`

describe('a base that carries what no link does', () => {
  test('is proposed once everything is processed, and who joins from the copy goes on behind its link', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    const { leader } = pair
    cluster.capture(0, 10)
    pair.link()
    cluster.run(suffix(1, 'a.example'))
    noteUnlinkable(pair.connection)
    leader.commit([batchOf([10, 11])], Date.now())
    const id = newId()
    expect([leader.nextLink(), leader.proposeBase(id)]).toEqual(['base', null])
    process(pair.connection)
    const content = leader.proposeBase(id)
    expect(content).toEqual({ to: leader.lastSequence(), taken: [expect.any(String)] })
    using joined = copied(pair)
    cluster.run(suffix(2, 'b.example'))
    const place = { number: (leader.position()?.place?.number ?? 0) + 1, id }
    const [link] = pair.chain as [Link]
    const rebase: Link = { ...link, ...place, previous: link.id, kind: 'rebase', taken: [], body: new Uint8Array() }
    leader.linked(place)
    pair.chain.push(rebase)
    const rows = pair.link() as Link
    const log = {
      links: async () => [rebase, rows].slice(joined.position()?.place?.id === id ? 1 : 0),
      base: async () => null,
    }
    await new Following({ log, replica: joined, version: '' }).turn()
    expect([leader.hasUnlinked(), joined.position()?.place]).toEqual([false, { number: rows.number, id: rows.id }])
    expect(rowsOf(joined.raw, 'domain_suffix')).toEqual(rowsOf(pair.connection.raw, 'domain_suffix'))
    expect(
      await new Following({ log: { ...log, links: async () => [rebase] }, replica: pair.follower, version: '' }).turn(),
    ).toBe('rebased')
  })

  test('is needed again where something changed after it was proposed', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    const { leader } = pair
    noteUnlinkable(pair.connection)
    const id = newId()
    leader.proposeBase(id)
    noteUnlinkable(pair.connection)
    leader.linked({ number: 1, id })
    expect([leader.nextLink(), leader.hasUnlinked()]).toEqual(['base', true])
  })
})

describe('a link', () => {
  test('carries two rows that have swapped what is unique of them', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    for (const [row, name] of ['a.example', 'b.example'].entries()) cluster.run(suffix(row + 1, name))
    pair.link()
    for (const [name, row] of [
      ['c', 1],
      ['a', 2],
      ['b', 1],
    ])
      cluster.run(`UPDATE domain_suffix SET suffix = '${name}.example' WHERE rowid = ${row}`)
    pair.link()
    await pair.follow()
    expect(pair.differences()).toEqual({})
  })

  test('carries what a REPLACE removed', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    cluster.run(suffix(1, 'a.example'))
    pair.link()
    cluster.run(suffix(7, 'a.example').replace('INSERT', 'INSERT OR REPLACE'))
    cluster.run('DELETE FROM domain_suffix')
    pair.link()
    await pair.follow()
    expect(pair.rows('follower', 'domain_suffix')).toEqual([])
  })

  test('that was applied before changes nothing, one that is not the next is refused', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    const [first, second, third] = [0, 10, 20].flatMap((from) => {
      cluster.capture(from, from + 10)
      return pair.link() ?? []
    })
    if (!first || !second || !third) throw new Error('there is nothing to link')
    await pair.follower.apply(first)
    await expect(pair.follower.apply(third)).rejects.toThrow(LinkOutOfOrder)
    await expect(pair.follower.apply({ ...second, previous: newId() })).rejects.toThrow(TwoHistories)
    await expect(pair.follower.apply({ ...first, id: newId() })).rejects.toThrow(TwoHistories)
    await pair.follower.apply(first)
    await pair.follow()
    expect(pair.differences()).toEqual({})
  })

  test('that fails half-way changes nothing', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    cluster.run(suffix(1, 'a.example'))
    cluster.capture(0, 5)
    const link = pair.link()
    if (link === null) throw new Error('there is nothing to link')
    const before = [pair.rows('follower', 'domain_suffix'), pair.rows('follower', 'ledger'), pair.follower.position()]
    const lines = Buffer.from(Bun.zstdDecompressSync(link.body)).toString()
    const broken = Bun.zstdCompressSync(lines.replace('"entry-4"', 'null'))
    await expect(pair.follower.apply({ ...link, body: new Uint8Array(broken) })).rejects.toThrow()
    expect([pair.rows('follower', 'domain_suffix'), pair.rows('follower', 'ledger'), pair.follower.position()]).toEqual(
      before,
    )
    await pair.follow()
    expect(pair.differences()).toEqual({})
  })

  test('whose answer never came is made again with what has happened since', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    cluster.capture(0, 10)
    expect(pair.next()).not.toBeNull()
    pair.leader.propose(newId(), true)
    cluster.capture(10, 20)
    cluster.run(suffix(1, 'a.example'))
    pair.link()
    await pair.follow()
    expect(pair.differences()).toEqual({})
    expect(pair.leader.hasUnlinked()).toBe(false)
  })

  test('has an end: what has no room comes with the next', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    pair.connection.raw.run(
      `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 12000)
       INSERT INTO spent_challenge (account_row, challenge, expires_at)
       SELECT 1, hex(randomblob(200)), 1 FROM numbers`,
    )
    cluster.capture(0, 3000)
    expect(pair.next()?.isWhole).toBe(false)
    while (pair.link() !== null);
    expect(pair.chain.length).toBeGreaterThan(1)
    await pair.follow()
    expect(pair.differences()).toEqual({})
  })
})

describe('a batch of the intake', () => {
  test('is committed once, however often it comes, and leaves with the link after', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    const count = { accountId: 'account-a', hour: 1, endpoint: 'form', check: 'origin', origin: '', count: 2 } as const
    const [one, other] = [batchOf([0, 1, 2]), batchOf([], { refusals: [count] })]
    pair.leader.commit([one, other], 1)
    pair.leader.commit([one], 2)
    expect(pair.rows('leader', 'refusal_count')).toEqual([])
    expect(pair.leader.takenIds().sort()).toEqual([one.id, other.id].sort())
    process(pair.connection)
    expect(pair.link()?.taken.sort()).toEqual([one.id, other.id].sort())
    expect(pair.leader.takenIds()).toEqual([])
    pair.leader.commit([other], 3)
    expect(pair.link()?.taken).toEqual([other.id])
    await pair.follow()
    expect(pair.differences()).toEqual({})
    expect(pair.rows('follower', 'refusal_count')).toMatchObject([{ count: 2 }])
  })

  test('stays in the intake while its entries are not processed, and what it counts is in no link', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    const count = { accountId: 'account-a', hour: 1, endpoint: 'form', check: 'origin', origin: '', count: 2 } as const
    const batch = batchOf([0, 1], { refusals: [count] })
    pair.leader.commit([batch], 1)
    expect(pair.next()?.taken ?? []).toEqual([])
    // Whoever leads next commits it from the intake.
    pair.follower.startDelivering()
    pair.follower.commit([batch], 1)
    process(pair.connection)
    pair.link()
    await pair.follow()
    expect(pair.rows('follower', 'refusal_count')).toMatchObject([{ count: 2 }])
  })

  test('counts nothing before the link that contains it, however much comes before', async () => {
    const count = { accountId: 'account-a', hour: 1, endpoint: 'form', check: 'origin', origin: '', count: 2 } as const
    const counting = batchOf([0, 1], { refusals: [count] })
    const rows = `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 12000)
      INSERT INTO spent_challenge (account_row, challenge, expires_at) SELECT 1, value, 1 FROM numbers`
    const larger = Array.from({ length: 400 }, (_, at) => ({
      id: `large-${at}`,
      fields: { message: 'x'.repeat(15_000) },
    }))
    for (const before of ['rows', 'entries']) {
      await using cluster = new AClusterOfTwo()
      const { pair } = cluster
      if (before === 'rows') cluster.run(rows)
      else pair.leader.commit([batchWith(larger.map((of) => submission({ accountId: 'account-a', ...of })))], 1)
      pair.leader.commit([counting], 1)
      process(pair.connection)
      expect(pair.link()?.taken).not.toContain(counting.id)
      await pair.follow()
      // The leader dies, and the next one takes the batch from the intake.
      pair.follower.startDelivering()
      pair.follower.commit([counting], 1)
      process(pair.followed)
      pair.follower.nextLink()
      expect(pair.rows('follower', 'refusal_count')).toMatchObject([{ count: 2 }])
    }
  })

  test('is known for ten minutes of this process, whatever the clock says', async () => {
    await using database = new TemporaryDatabase()
    database.addAccount('account-a')
    const time = { nowMs: 0, ms: 0 }
    const clock = { now: () => time.nowMs, monotonicMs: () => time.ms }
    using replica = closing(new SqliteReplica({ databaseFile: database.file, clock, removeContent() {} }))
    const connection = database.connect()
    replica.found('box')
    const link = (): void => {
      process(connection)
      if (replica.nextLink() === null) throw new Error('there is nothing to link')
      const id = newId()
      replica.propose(id, true)
      replica.linked({ number: (replica.position()?.place?.number ?? 0) + 1, id })
    }
    const first = batchOf([0])
    replica.commit([first], 0)
    link()
    const known = connection.raw.query('SELECT 1 FROM intake_taken WHERE batch = ?')
    const isKnownAfter = (nowMs: number, ms: number, number: number): boolean => {
      Object.assign(time, { nowMs, ms })
      replica.commit([batchOf([number])], nowMs)
      link()
      return known.get(first.id) !== null
    }
    const hourMs = 60 * 60_000
    expect(isKnownAfter(hourMs, 60_000, 1)).toBe(true)
    expect(isKnownAfter(-hourMs, 9 * 60_000, 2)).toBe(true)
    expect(isKnownAfter(hourMs, 12 * 60_000, 3)).toBe(false)
  })
})

describe('a folder', () => {
  test('that led with something that no link has says so, until it is joined anew', async () => {
    await using cluster = new AClusterOfTwo()
    const { leader } = cluster.pair
    leader.commit([batchOf([0])], 1)
    leader.stopDelivering()
    expect(leader.hasUnlinked()).toBe(true)
    leader.join()
    expect(leader.hasUnlinked()).toBe(false)
  })

  test('that takes over has no deliveries of entries that the leader before had in no link', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    cluster.capture(0, 3)
    const columns = 'row, id, account_row, destination_row, submission_id, form_id, state, created_at, next_at'
    const delivery = (sequence: number | null, name: string): void => {
      cluster.run(`INSERT INTO delivery (sequence, ${columns})
        VALUES (${sequence}, NULL, '${name}', 1, 1, '${name}', 'contact1', 'waiting', 1, 1)`)
      cluster.run(`INSERT INTO delivery_attempt (delivery_row, number, at, exchange)
        SELECT max(row), 1, 1, '${name}' FROM delivery`)
    }
    const [report, linked] = ['a report', 'entry-0']
    delivery(null, report)
    delivery(1, linked)
    const answered = (at: number) =>
      `INSERT INTO visitor_reply (account_row, destination_row, address_mark, at) VALUES (1, 1, 'x', ${at})`
    // A batch that is half processed, as a link is made.
    pair.leader.commit([batchOf([7, 14])], 1)
    delivery(4, 'entry-7')
    for (const at of [0, 1]) cluster.run(answered(at))
    pair.link()
    await pair.follow()
    expect(pair.rows('follower', 'delivery')).toHaveLength(3)
    pair.follower.startDelivering()
    expect(pair.rows('follower', 'delivery').map(({ id }) => id)).toEqual([report, linked])
    expect(pair.rows('follower', 'delivery_attempt').map(({ exchange }) => exchange)).toEqual([report, linked])
    expect(pair.rows('follower', 'visitor_reply').map(({ at }) => at)).toEqual([0])
    // So it is on the nodes that follow it.
    expect(pair.follower.hasUnlinked()).toBe(true)
  })

  test('that stopped leading before it heard that its link is stored holds nothing apart once it has', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    const { leader } = pair
    leader.commit([batchOf([0])], 1)
    process(pair.connection)
    const id = newId()
    expect(pair.next()).not.toBeNull()
    leader.propose(id, true)
    leader.stopDelivering()
    expect(leader.hasUnlinked()).toBe(true)
    leader.linked({ number: 1, id })
    expect(leader.hasUnlinked()).toBe(false)
    leader.startDelivering()
    leader.commit([batchOf([1])], 1)
    leader.propose(newId(), false)
    leader.stopDelivering()
    leader.linked({ number: 2, id: leader.position()?.proposed ?? '' })
    expect(leader.hasUnlinked()).toBe(true)
  })

  test('that follows makes deliveries only once it has processed all and leads', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    cluster.capture(0, 3)
    const link = pair.link()
    if (link === null) throw new Error('there is nothing to link')
    await pair.follower.apply(link)
    expect(pair.follower.startDelivering()).toBe(false)
    await pair.follow()
    expect(pair.follower.startDelivering()).toBe(true)
    expect(pair.follower.hasUnlinked()).toBe(false)
  })

  test('that stops leading for a moment still delivers what it had taken before, and nothing of others', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    pair.leader.commit([batchOf([0, 1])], 1)
    pair.leader.stopDelivering()
    const elsewhere = new DeliveredElsewhere(pair.connection).among([1, 2, 3].map((sequence) => ({ sequence })))
    expect([1, 2, 3].map(elsewhere)).toEqual([false, false, true])
    // So is a refusal among its own entries, which takes back what waits to be sent.
    expect([2, 3].map((sequence) => isFollowed(pair.connection, sequence))).toEqual([false, true])
  })

  test('that an earlier database replaced is compared with it: what the cluster has under another number is not missing', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair, database } = cluster
    cluster.capture(0, 3)
    pair.link()
    await pair.follow()
    const [lost, shared] = [batchOf([3, 4]), batchOf([5, 6])]
    pair.leader.commit([lost, shared], 1)
    pair.follower.startDelivering()
    pair.follower.commit([shared], 1)
    const missing = () => unsharedIn(database.file, pair.followerFile)
    expect(missing()).toEqual({ records: 2, changes: 0, acts: [] })
    pair.follower.commit([lost], 1)
    expect(missing()).toEqual({ records: 0, changes: 0, acts: [] })
    cluster.run(
      `INSERT INTO audit_entry (id, at, actor_kind, actor_id, actor_label, address, action, subject, outcome, seq, hash)
       VALUES ('x', 0, 'cli', '', '', '', 'account.apply', '', 'done', 1, '')`,
    )
    expect(missing()).toEqual({ records: 0, changes: 1, acts: ['account.apply'] })
  })

  test('with a trigger of somebody else is no box of ours, and nothing of it has run', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    cluster.run('CREATE TABLE ran (a)')
    cluster.run('CREATE TRIGGER evil AFTER DELETE ON cluster_position BEGIN INSERT INTO ran VALUES (1); END')
    expect(() => assertOurs(pair.connection)).toThrow('it contains "evil"')
    expect(pair.rows('leader', 'ran')).toEqual([])
  })

  test('that is restored from a copy is a single box', async () => {
    await using cluster = new AClusterOfTwo()
    const { pair } = cluster
    assertOurs(pair.connection)
    expect(pair.leader.position()).toBeNull()
    cluster.run(suffix(1, 'a.example'))
    expect(pair.rows('leader', 'cluster_changed')).toEqual([])
  })
})

test('copying a database keeps the numbers of its rows, by which links name them', async () => {
  await using database = new TemporaryDatabase()
  const { raw } = database.connect()
  database.addAccount('account-a')
  raw.run(suffix(7, 'a.example'))
  raw.run(suffix(3, 'b.example'))
  raw.run('VACUUM INTO ?', [`${database.file}.copy`])
  raw.run('ATTACH ? AS copy', [`${database.file}.copy`])
  const rows = (schema: string) => raw.query(`SELECT rowid, suffix FROM ${schema}.domain_suffix`).all()
  expect(rows('copy')).toEqual(rows('main'))
})

test('every table of the state is linked, and none that processing makes', () => {
  const state = tables.filter(({ is }) => is === 'state').map(({ name }) => name)
  expect([...linkedTables].sort()).toEqual([...state, 'idempotent_answer', 'linked_removal'].sort())
  expect(tables.filter(({ name, isWithoutRowId }) => isWithoutRowId && linkedTables.includes(name))).toEqual([])
})

type Step = 'capture' | 'insert' | 'update' | 'delete' | 'link' | 'lost link' | 'follow'
const steps: Step[] = ['capture', 'insert', 'update', 'delete', 'link', 'lost link', 'follow']

test('whatever the order of changes, links and lost answers, the follower becomes the leader’s like', async () => {
  await assert(
    asyncProperty(array(constantFrom(...steps), { minLength: 3, maxLength: 25 }), async (order) => {
      await using cluster = new AClusterOfTwo()
      const { pair } = cluster
      let at = 0
      const acts: Record<Step, () => unknown> = {
        capture: () => cluster.capture(at * 7, ++at * 7),
        insert: () =>
          cluster.run(`INSERT OR REPLACE INTO domain_suffix (account_row, suffix) VALUES (1, 's${at++ % 3}')`),
        update: () => cluster.run(`UPDATE OR REPLACE domain_suffix SET rowid = rowid + 1, suffix = 's${at++ % 3}'`),
        delete: () => cluster.run('DELETE FROM domain_suffix WHERE rowid % 2 = 0'),
        link: () => pair.link(),
        'lost link': () => pair.next() && pair.leader.propose(newId(), true),
        follow: () => pair.follow(),
      }
      for (const step of order) await acts[step]()
      while (pair.link() !== null);
      await pair.follow()
      expect(pair.differences()).toEqual({})
    }),
    { numRuns: 15 },
  )
})
