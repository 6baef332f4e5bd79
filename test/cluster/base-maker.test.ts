import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyBatch } from '../../src/capture/write-batch.ts'
import { BaseMaker, type BaseUnderWay, type LeadersBases, type MadeBase } from '../../src/cluster/base-maker.ts'
import { BaseStore, encodeBaseNote } from '../../src/cluster/base-store.ts'
import { ClusterCommitter } from '../../src/cluster/cluster-committer.ts'
import type { Link, LinkPlace } from '../../src/cluster/cluster-log.ts'
import { ClusterSeal, storeSealing } from '../../src/cluster/cluster-seal.ts'
import { ContentStore } from '../../src/cluster/content-store.ts'
import { Membership } from '../../src/cluster/membership.ts'
import { newId } from '../../src/lib/id.ts'
import { newSecret } from '../../src/lib/sign.ts'
import { eventually } from '../harness/eventually.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'
import { MemoryReplica } from '../harness/memory-replica.ts'
import { MemoryTarget } from '../harness/memory-target.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const hourMs = 60 * 60 * 1000

const begun: { stop(): Promise<void> }[] = []
const dir = mkdtempSync(join(tmpdir(), 'capture-bases-'))
afterEach(async () => {
  await Promise.all(begun.splice(0).map((work) => work.stop()))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function chainOf(log: MemoryClusterLog): Promise<Link[]> {
  const links = await log.links(null)
  return links === 'elsewhere' ? [] : links
}

test('a base is announced behind the links that hold all of it', async () => {
  /** Waits for turns of the leader in which there is nothing to link. */
  class CountedReplica extends MemoryReplica {
    turns = 0
    override nextLink() {
      this.turns++
      return super.nextLink()
    }
  }
  const log = new MemoryClusterLog(performance.now.bind(performance))
  let passedMs = 0
  const clock = { now: Date.now, monotonicMs: () => performance.now() + passedMs }
  const replica = new CountedReplica()
  const bases = {
    made: null as MadeBase | null,
    announced() {
      bases.made = null
    },
    remake: (): BaseUnderWay => ({ state: 'failed' }),
    stop: async () => {},
  }
  const candidate = { node: 'a', run: newId(), address: 'a:7443', certificate: '' }
  const membership = new Membership({
    ...{ log, replica, clock, candidate, mayLead: true, notices: silent, cluster: 'box', version: '1.2.3' },
    prepare: async () => {},
    beginBases: () => bases satisfies LeadersBases,
    onStanding: () => {},
  })
  begun.push(membership)
  await eventually('the node leads', async () => (await chainOf(log)).length === 1)
  replica.processed = 0
  const committer = new ClusterCommitter({ log, node: 'a', clock, knowsAccount: () => true })
  await committer.commit({ ...emptyBatch, entries: 'account\tx' })
  await eventually('the leader has the record', async () => replica.lines.length === 1)
  const place = replica.position()?.place as LinkPlace
  bases.made = { note: { name: 'bases/x', place }, to: 1 }
  const { turns } = replica
  await eventually('it has looked for something to link', async () => {
    passedMs += 50
    return replica.turns >= turns + 2
  })
  expect((await chainOf(log)).map(({ kind }) => kind)).toEqual(['term'])
  replica.processed = Number.POSITIVE_INFINITY
  await eventually('the base is announced', async () => bases.made === null)
  expect((await chainOf(log)).map(({ kind }) => kind)).toEqual(['term', 'rows', 'base'])
})

describe('a leader', () => {
  /** A cluster's store and chain, to which leaders come one after the other. */
  function cluster() {
    const target = new MemoryTarget()
    let nowMs = Date.now()
    target.now = () => nowMs
    const log = new MemoryClusterLog(() => nowMs)
    const sealing = storeSealing(new ClusterSeal(newSecret()))
    const bases = new BaseStore(target, sealing)
    const lead = { node: 'a', run: newId(), address: '', certificate: '' }
    let end: Link | null = null
    const add = async (kind: Link['kind'], body: Uint8Array): Promise<Link> => {
      const lease = await log.lease(lead)
      const number = (end?.number ?? 0) + 1
      const link: Link = {
        ...{ number, id: newId(), previous: end?.id ?? null, term: lease?.term ?? 0 },
        ...{ schema: 7, kind, taken: [], body },
      }
      expect(await log.link(link, lead.run)).toBe('stored')
      end = link
      return link
    }
    const begin = () => {
      let rounds = 0
      const counted = Object.assign(Object.create(log) as MemoryClusterLog, {
        forget: async (...args: Parameters<MemoryClusterLog['forget']>) => {
          await log.forget(...args)
          rounds++
        },
      })
      const file = join(dir, 'copy.db')
      const copy = { file, sealKey: new Uint8Array(32).fill(5), bytes: 8, to: 3, processed: 3 }
      const maker = new BaseMaker({
        ...{ log: counted, bases, contents: new ContentStore(target, sealing), notices: silent },
        ...{ program: '1.2.3', create: async () => {} },
        here: { open: async () => null },
        source: {
          schema: 7,
          referenced: () => [],
          unreferenced: () => [],
          async copyTo() {
            writeFileSync(file, 'ada@example.test')
            return { copy: { ...copy, hashes: () => [], erasures: () => [], close() {} }, place: end, to: 3 }
          },
        },
        scratch: () => ({ file, remove: () => rmSync(file) }),
        clock: { now: () => nowMs, monotonicMs: () => nowMs },
      })
      begun.push(maker)
      return { maker, rounds: () => rounds }
    }
    const pass = (ms: number): void => {
      nowMs += ms
    }
    return { log, bases, target, add, begin, pass }
  }

  /** Begins to lead, makes a base and announces it. */
  async function withBase({ begin, add }: ReturnType<typeof cluster>): Promise<string> {
    const { maker } = begin()
    await eventually('there is a base', async () => maker.made !== null)
    const { note } = maker.made as MadeBase
    await add('base', encodeBaseNote(note))
    await maker.stop()
    return note.name
  }

  test('makes a base that opens again with everything beside it', async () => {
    const given = cluster()
    await given.add('term', new Uint8Array())
    const base = await given.bases.open(await withBase(given))
    expect(base).toMatchObject({ schema: 7, program: '1.2.3', bytes: 8, sealKey: new Uint8Array(32).fill(5) })
    expect(Buffer.concat(await Array.fromAsync(base?.database() ?? [])).toString()).toBe('ada@example.test')
    const stored = [...given.target.objects.values()].map((bytes) => Buffer.from(bytes).toString('latin1'))
    expect(stored.join('')).not.toContain('ada@example.test')
  })

  test('makes no other while that is less than a day old', async () => {
    const given = cluster()
    await given.add('term', new Uint8Array())
    await withBase(given)
    given.pass(23 * hourMs)
    const { maker, rounds } = given.begin()
    await eventually('it has looked', async () => rounds() > 0)
    expect(maker.made).toBeNull()
  })

  test('makes one each day, and the bases and links before it go', async () => {
    const given = cluster()
    await given.add('term', new Uint8Array())
    const first = await withBase(given)
    given.pass(8 * 24 * hourMs)
    const second = await withBase(given)
    expect(second).not.toBe(first)
    const { rounds } = given.begin()
    await eventually('it has looked', async () => rounds() > 0)
    await eventually('the first is gone', async () => (await given.bases.open(first)) === null)
    expect(await given.bases.open(second)).not.toBeNull()
    expect(await given.log.links(null)).toBe('elsewhere')
  })
})
