import { describe, expect, test } from 'bun:test'
import { type Arbitrary, array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import {
  batchBytesMax,
  type ClusterLog,
  type IntakeBatch,
  type Lease,
  type LeaseCandidate,
  type Link,
  leaseMs,
} from '../../src/cluster/cluster-log.ts'
import { newId } from '../../src/lib/id.ts'

/** A new, empty log of a cluster. */
export interface OpenedClusterLog extends AsyncDisposable {
  /** As one node has it. */
  log: ClusterLog
  /** As another has it. */
  other: ClusterLog
  /** Lets time pass for the lease alone, until it has run out. */
  expireLease(): Promise<void>
}

/** Far beyond the product's patience: how fast a busy machine is decides nothing here. */
const withinMs = 60_000
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))
const textOf = (body: Uint8Array): string => Buffer.from(body).toString()

const batchOf = (text: string, id = newId()): IntakeBatch => ({
  id,
  node: 'a',
  format: 1,
  entries: 3,
  body: bytes(text),
})
const candidate = (node: string): LeaseCandidate => ({
  node,
  run: newId(),
  address: `${node}:7443`,
  certificate: 'pin',
})
const spendOf = (challenge: string, accountId = 'account') => ({ accountId, challenge, expiresAt: Date.now() + 60_000 })
const linkAfter = (previous: Link | null, { term }: Lease, changed: Partial<Link> = {}): Link => ({
  number: (previous?.number ?? 0) + 1,
  id: newId(),
  previous: previous?.id ?? null,
  ...{ term, schema: 7, kind: 'rows', taken: [], body: bytes('rows'), ...changed },
})

/** The lease, which somebody must have. */
async function leaseOf(log: ClusterLog, wanted: LeaseCandidate | null): Promise<Lease> {
  const lease = await log.lease(wanted)
  if (lease === null) throw new Error('nobody leads')
  return lease
}

async function leaderAfter(cluster: OpenedClusterLog, next: LeaseCandidate): Promise<Lease> {
  await cluster.expireLease()
  return leaseOf(cluster.other, next)
}

/** Everything in the intake, however it is divided. */
async function takeAll(log: ClusterLog): Promise<IntakeBatch[]> {
  const all: IntakeBatch[] = []
  for (;;) {
    const batches = await log.take(all.map(({ id }) => id))
    if (batches.length === 0) return all
    all.push(...batches)
  }
}

async function chainOf(log: ClusterLog): Promise<Link[]> {
  const all: Link[] = []
  for (;;) {
    const links = await log.links(all.at(-1) ?? null)
    if (links === 'elsewhere') throw new Error('the chain does not go on from its own link')
    if (links.length === 0) return all
    all.push(...links)
  }
}

/** Adds links one behind the other. */
async function addAll(log: ClusterLog, { run }: LeaseCandidate, links: readonly Link[]): Promise<Link[]> {
  const chain: Link[] = []
  for (const link of links) {
    const end = chain.at(-1)
    const placed = { ...link, number: chain.length + 1, previous: end?.id ?? null }
    expect(await log.link(placed, run)).toBe('stored')
    chain.push(placed)
  }
  return chain
}

/** What the port promises, for every implementation. */
export function clusterLogContract(name: string, open: () => Promise<OpenedClusterLog>): void {
  describe(`intake of the ${name}`, () => {
    test('what one node leaves is what another takes, in order and byte for byte', async () => {
      await using cluster = await open()
      const put = [batchOf('first'), batchOf(''), batchOf('\u0000\\x00é')]
      for (const batch of put) await cluster.log.put(batch, [], withinMs)
      const taken = await cluster.other.take([])
      expect(taken.map(({ body, ...columns }) => ({ ...columns, text: textOf(body) }))).toEqual(
        put.map(({ body, ...columns }) => ({ ...columns, text: textOf(body) })),
      )
    })

    test('a batch stays until its link is stored, and is left out for who has it', async () => {
      await using cluster = await open()
      const [one, two] = [batchOf('one'), batchOf('two')]
      for (const batch of [one, two]) await cluster.log.put(batch, [], withinMs)
      expect((await cluster.log.take([one.id])).map(({ id }) => id)).toEqual([two.id])
      expect(await takeAll(cluster.log)).toHaveLength(2)
    })

    test('a batch put at the same time by many tries is there once', async () => {
      await using cluster = await open()
      const batch = batchOf('once')
      const nodes = [cluster.log, cluster.other, cluster.log, cluster.other]
      await Promise.all(nodes.map((log) => log.put(batch, [], withinMs)))
      expect(await takeAll(cluster.log)).toHaveLength(1)
    })

    test('more than fits is taken in several readings, none left out', async () => {
      await using cluster = await open()
      const large = { ...batchOf(''), body: new Uint8Array(batchBytesMax - 100) }
      const ids = Array.from({ length: 6 }, () => newId())
      for (const id of ids) await cluster.log.put({ ...large, id }, [], withinMs)
      expect((await cluster.log.take([])).length).toBeLessThan(6)
      expect((await takeAll(cluster.log)).map(({ id }) => id)).toEqual(ids)
    })

    test('a batch that is too large is refused whole', async () => {
      await using cluster = await open()
      const large = { ...batchOf(''), body: new Uint8Array(batchBytesMax + 1) }
      await expect(cluster.log.put(large, [spendOf('kept')], withinMs)).rejects.toBeInstanceOf(RangeError)
      expect(await cluster.log.put(batchOf('small'), [spendOf('kept')], withinMs)).toEqual([true])
    })
  })

  describe(`challenges in the ${name}`, () => {
    test('a challenge is spent once in the whole cluster, however many ask at the same time', async () => {
      await using cluster = await open()
      const nodes = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? cluster.log : cluster.other))
      // In both orders, so that nodes which wait for each other are found.
      const spends = [spendOf('a'), spendOf('b')]
      const answers = await Promise.all(
        nodes.map((log, at) => log.put(batchOf('x'), at % 2 === 0 ? spends : spends.toReversed(), withinMs)),
      )
      expect(answers.flat().filter((unspent) => unspent)).toHaveLength(2)
    })

    test('what a node kept is stored once, in order, however often and however late each piece is repeated', async () => {
      await using cluster = await open()
      const { log } = cluster
      const file = newId()
      const pieces = [
        { from: 0, to: 10 },
        { from: 10, to: 25 },
        { from: 25, to: 30 },
      ]
      const put = (at: number) => {
        const { from = 0, to = 0 } = pieces[at] ?? {}
        // Another id each time: after a restart, pieces may be divided in another way.
        return log.putKept(batchOf(`piece ${at}`), [], { file, from, to })
      }
      expect(await put(1)).toBe(0)
      expect(await Promise.all([put(0), put(0), put(0)])).toEqual([10, 10, 10])
      expect(await put(1)).toBe(25)
      expect(await put(0)).toBe(25)
      expect(await put(2)).toBe(30)
      await log.forgetKept(file)
      expect(await put(0)).toBeGreaterThanOrEqual(30)
      expect((await takeAll(log)).map(({ body }) => textOf(body))).toEqual(['piece 0', 'piece 1', 'piece 2'])
    })

    test('a challenge of what a node kept is spent for the whole cluster', async () => {
      await using cluster = await open()
      const { log, other } = cluster
      await log.putKept(batchOf('kept'), [spendOf('x'), spendOf('x')], { file: newId(), from: 0, to: 1 })
      expect(await other.put(batchOf('later'), [spendOf('x'), spendOf('y')], withinMs)).toEqual([false, true])
    })

    test('a repeated batch is answered as the first', async () => {
      await using cluster = await open()
      const batch = batchOf('x')
      const spends = [spendOf('a'), spendOf('b', 'another account'), spendOf('a')]
      const answers = await Promise.all(
        [cluster.log, cluster.other, cluster.log].map((log) => log.put(batch, spends, withinMs)),
      )
      expect(answers).toEqual(Array(3).fill([true, true, false]))
      expect(await cluster.log.put(batchOf('y'), spends, withinMs)).toEqual([false, false, false])
    })
  })

  describe(`chain of the ${name}`, () => {
    test('a link takes its batches out of the intake and is read as it was written', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const lease = await leaseOf(cluster.log, lead)
      const [inside, outside] = [batchOf('inside'), batchOf('outside')]
      for (const batch of [inside, outside]) await cluster.log.put(batch, [], withinMs)
      const link = linkAfter(null, lease, { taken: [inside.id], body: bytes('\u0000 rows') })
      expect(await cluster.log.link(link, lead.run)).toBe('stored')
      expect((await takeAll(cluster.other)).map(({ id }) => id)).toEqual([outside.id])
      const [read] = await chainOf(cluster.other)
      expect({ ...read, body: textOf(read?.body ?? bytes('')) }).toEqual({ ...link, body: '\u0000 rows' })
    })

    test('a large link is whole, and what does not fit beside it is read next', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const lease = await leaseOf(cluster.log, lead)
      const body = Uint8Array.from({ length: 5 * 1024 * 1024 + 17 }, (_, at) => (at * 31) % 251)
      const first = linkAfter(null, lease, { body })
      const second = linkAfter(first, lease)
      for (const link of [first, second]) expect(await cluster.log.link(link, lead.run)).toBe('stored')
      const [alone, ...others] = (await cluster.other.links(null)) as Link[]
      expect(others).toEqual([])
      expect(Bun.hash(alone?.body ?? '')).toBe(Bun.hash(body))
      expect((await chainOf(cluster.other)).map(({ id }) => id)).toEqual([first.id, second.id])
    })

    test('a repeated link is stored once and answered as the first, also when others followed or another leads', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const lease = await leaseOf(cluster.log, lead)
      const first = linkAfter(null, lease)
      const tries = [cluster.log, cluster.log, cluster.other].map((log) => log.link(first, lead.run))
      expect(await Promise.all(tries)).toEqual(['stored', 'stored', 'stored'])
      const second = linkAfter(first, lease)
      await cluster.log.link(second, lead.run)
      await leaderAfter(cluster, candidate('b'))
      expect(await cluster.log.link(first, lead.run)).toBe('stored')
      expect(await chainOf(cluster.log)).toHaveLength(2)
    })

    test('whoever no longer leads adds nothing and takes nothing', async () => {
      await using cluster = await open()
      const [stale, next] = [candidate('a'), candidate('b')]
      const old = await leaseOf(cluster.log, stale)
      const batch = batchOf('kept')
      await cluster.log.put(batch, [], withinMs)
      const lease = await leaderAfter(cluster, next)
      expect(await cluster.log.link(linkAfter(null, old, { taken: [batch.id] }), stale.run)).toBe('fenced')
      expect(await cluster.log.link(linkAfter(null, lease, { taken: [batch.id] }), stale.run)).toBe('fenced')
      expect(await takeAll(cluster.log)).toHaveLength(1)
      expect(await cluster.other.link(linkAfter(null, lease, { kind: 'term' }), next.run)).toBe('stored')
    })

    test('a link goes behind the end and nowhere else', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const lease = await leaseOf(cluster.log, lead)
      const first = linkAfter(null, lease)
      const second = linkAfter(first, lease)
      expect(await cluster.log.link(second, lead.run)).toBe('elsewhere')
      for (const link of [first, second]) await cluster.log.link(link, lead.run)
      const batch = batchOf('kept')
      await cluster.log.put(batch, [], withinMs)
      const taken = [batch.id]
      const wrong = [
        linkAfter(first, lease, { taken }),
        linkAfter(null, lease, { taken }),
        linkAfter(second, lease, { taken, number: 4 }),
        linkAfter(second, lease, { taken, previous: first.id }),
      ]
      for (const link of wrong) expect(await cluster.log.link(link, lead.run)).toBe('elsewhere')
      expect(await takeAll(cluster.log)).toHaveLength(1)
    })

    test('of two links for one number, sent at the same time, one is stored with its batches', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const lease = await leaseOf(cluster.log, lead)
      const batches = [batchOf('one'), batchOf('two')]
      for (const batch of batches) await cluster.log.put(batch, [], withinMs)
      const links = batches.map(({ id }) => linkAfter(null, lease, { taken: [id] }))
      const outcomes = await Promise.all(
        links.map((link, at) => (at === 0 ? cluster.log : cluster.other).link(link, lead.run)),
      )
      expect(outcomes.toSorted()).toEqual(['elsewhere', 'stored'])
      const [stored] = await chainOf(cluster.log)
      const left = await takeAll(cluster.log)
      expect([...(stored?.taken ?? []), ...left.map(({ id }) => id)].toSorted()).toEqual(
        batches.map(({ id }) => id).toSorted(),
      )
    })

    test('a link with more parts than the one of its number adds none of them, and takes no batch', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const lease = await leaseOf(cluster.log, lead)
      const first = linkAfter(null, lease)
      await cluster.log.link(first, lead.run)
      const batch = batchOf('one')
      await cluster.log.put(batch, [], withinMs)
      const larger = linkAfter(null, lease, { taken: [batch.id], body: new Uint8Array(3 * 1024 * 1024) })
      expect(await cluster.log.link(larger, lead.run)).toBe('elsewhere')
      expect((await chainOf(cluster.log)).map(({ id }) => id)).toEqual([first.id])
      expect(await takeAll(cluster.log)).toHaveLength(1)
    })

    test('a folder with another history is told so', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const first = linkAfter(null, await leaseOf(cluster.log, lead))
      await cluster.log.link(first, lead.run)
      expect(await cluster.log.links({ number: 1, id: newId() })).toBe('elsewhere')
      expect(await cluster.log.links({ number: 2, id: newId() })).toBe('elsewhere')
      expect(await cluster.log.links(first)).toEqual([])
    })
  })

  describe(`bases in the chain of the ${name}`, () => {
    test('the newest is found, wherever it is', async () => {
      await using cluster = await open()
      expect(await cluster.log.base()).toBeNull()
      const lead = candidate('a')
      const lease = await leaseOf(cluster.log, lead)
      const kinds = ['term', 'base', 'rows', 'base', 'rows'] as const
      const chain = await addAll(
        cluster.log,
        lead,
        kinds.map((kind) => linkAfter(null, lease, { kind, body: bytes(kind) })),
      )
      const found = await cluster.other.base()
      expect({ ...found, body: textOf(found?.body ?? bytes('')) }).toEqual({ ...chain[3], body: 'base' })
    })

    test('links that are forgotten are gone, and the chain goes on behind them', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const lease = await leaseOf(cluster.log, lead)
      const chain = await addAll(
        cluster.log,
        lead,
        Array.from({ length: 4 }, () => linkAfter(null, lease)),
      )
      const [first, second, third] = chain as [Link, Link, Link]
      await cluster.log.forget(2, 60 * 60 * 1000)
      expect(await chainOf(cluster.log)).toHaveLength(4)
      await cluster.log.forget(2, -1000)
      expect(await cluster.other.links(null)).toBe('elsewhere')
      expect(await cluster.other.links(first)).toBe('elsewhere')
      expect(((await cluster.other.links(second)) as Link[]).map(({ id }) => id)).toEqual(
        chain.slice(2).map(({ id }) => id),
      )
      expect(await cluster.other.links(third)).toHaveLength(1)
    })

    test('the end of the chain is never forgotten, so that it goes on', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const lease = await leaseOf(cluster.log, lead)
      const [, end] = await addAll(cluster.log, lead, [linkAfter(null, lease), linkAfter(null, lease)])
      await cluster.log.forget(99, -1000)
      const next = linkAfter(end as Link, lease)
      expect(await cluster.log.link(next, lead.run)).toBe('stored')
      expect(((await cluster.other.links(end as Link)) as Link[]).map(({ id }) => id)).toEqual([next.id])
    })
  })

  describe(`lease of the ${name}`, () => {
    test('nobody leads at first, and whoever looks does not lead', async () => {
      await using cluster = await open()
      expect(await cluster.log.lease(null)).toBeNull()
      const lead = candidate('a')
      await cluster.log.lease(lead)
      expect(await cluster.other.lease(null)).toMatchObject({ ...lead, term: 1 })
    })

    test('one of many candidates gets it, and all see who', async () => {
      await using cluster = await open()
      const leases = await Promise.all(
        Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? cluster.log : cluster.other).lease(candidate(`n${at}`))),
      )
      expect(new Set(leases.map((lease) => lease?.run)).size).toBe(1)
    })

    test('it lasts for its time after a renewal, and nobody else gets it before', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      await cluster.log.lease(lead)
      const refused = await leaseOf(cluster.other, candidate('b'))
      expect(refused).toMatchObject(lead)
      await cluster.expireLease()
      expect((await leaseOf(cluster.log, null)).leftMs).toBeLessThan(0)
      const { leftMs } = await leaseOf(cluster.log, lead)
      expect(leftMs).toBeGreaterThan(leaseMs / 2)
      expect(leftMs).toBeLessThanOrEqual(leaseMs)
    })

    test('it is had at once by who succeeds its run, and by nobody who succeeds an earlier one', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      await cluster.log.lease(lead)
      const next = candidate('a')
      expect(await leaseOf(cluster.other, { ...next, succeeds: lead.run })).toMatchObject({ run: next.run, term: 2 })
      expect((await leaseOf(cluster.log, { ...candidate('b'), succeeds: lead.run })).run).toBe(next.run)
    })

    test('given back, it is had by whoever asks first, and who does not have it gives nothing back', async () => {
      await using cluster = await open()
      const [lead, next] = [candidate('a'), candidate('b')]
      await cluster.log.lease(lead)
      await cluster.other.release(next.run)
      expect((await leaseOf(cluster.other, next)).run).toBe(lead.run)
      await cluster.log.release(lead.run)
      expect(await leaseOf(cluster.other, next)).toMatchObject({ ...next, term: 2 })
    })

    test('a nominee alone gets it for as long as a lease lasts, and then whoever asks first', async () => {
      await using cluster = await open()
      await cluster.log.lease(candidate('a'))
      await cluster.other.nominate('b')
      expect((await leaseOf(cluster.log, null)).nominee).toBe('b')
      await cluster.expireLease()
      expect((await leaseOf(cluster.log, candidate('c'))).node).toBe('a')
      expect(await leaseOf(cluster.other, candidate('b'))).toMatchObject({ node: 'b', term: 2, nominee: null })
      await cluster.log.nominate('d')
      await cluster.expireLease()
      await cluster.expireLease()
      expect((await leaseOf(cluster.log, candidate('c'))).node).toBe('c')
    })

    test('a nominee that leads already has no word any more: whoever asks first takes over from it', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      await cluster.log.lease(lead)
      await cluster.other.nominate('a')
      expect((await leaseOf(cluster.log, lead)).nominee).toBeNull()
      expect((await leaderAfter(cluster, candidate('b'))).node).toBe('b')
    })

    test('a cluster that has ended has no leader any more, and names who has everything', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      await cluster.log.lease(lead)
      expect(await cluster.other.end(newId())).toBe(false)
      expect(await cluster.log.end(lead.run)).toBe(true)
      await cluster.expireLease()
      expect(await leaseOf(cluster.other, candidate('b'))).toMatchObject({ node: 'a', hasEnded: true })
    })

    test('a renewal keeps the term, and a new leader has the next, a restart of the same node too', async () => {
      await using cluster = await open()
      const lead = candidate('a')
      const terms = [(await leaseOf(cluster.log, lead)).term, (await leaseOf(cluster.log, lead)).term]
      terms.push((await leaderAfter(cluster, candidate('a'))).term)
      terms.push((await leaderAfter(cluster, lead)).term)
      expect(terms).toEqual([1, 1, 2, 3])
    })
  })

  describe(`nodes of the ${name}`, () => {
    const news = {
      address: 'a:7443',
      certificate: 'pin',
      version: '1.2.3',
      schema: 7,
      applied: 0,
      state: 'follows',
      mayLead: true,
    } as const

    test('all see what each said last, and how far the chain and the intake are', async () => {
      await using cluster = await open()
      expect(await cluster.log.overview()).toEqual({ nodes: [], end: 0, oldestWaitsMs: null })
      expect(await cluster.other.announce({ ...news, name: 'b' })).toBeNull()
      await cluster.log.announce({ ...news, name: 'a', applied: 2 ** 40 })
      const later = {
        ...news,
        name: 'a',
        applied: 2 ** 40 + 1,
        version: '1.3.0',
        state: 'astray',
        mayLead: false,
      } as const
      expect(await cluster.log.announce({ ...later, certificate: 'next' })).toBe('pin')
      expect(await cluster.other.announce(later)).toBe('next')
      const lead = candidate('a')
      await cluster.log.link(linkAfter(null, await leaseOf(cluster.log, lead)), lead.run)
      await cluster.log.put(batchOf('waits'), [], withinMs)
      const { nodes, end, oldestWaitsMs } = await cluster.other.overview()
      expect(nodes).toMatchObject([later, { ...news, name: 'b' }])
      for (const { silentMs, skewMs } of nodes)
        for (const ms of [silentMs, skewMs]) expect(Math.abs(ms)).toBeLessThan(withinMs)
      expect(end).toBe(1)
      await cluster.log.dismiss('b')
      expect((await cluster.other.overview()).nodes.map(({ name }) => name)).toEqual(['a'])
      expect(oldestWaitsMs).toBeGreaterThanOrEqual(0)
    })
  })

  test(`whatever happens to the ${name}, each batch is in one place and the chain is one`, async () => {
    await assert(
      asyncProperty(array(stepArbitrary, { minLength: 1, maxLength: 30 }), async (steps) => {
        await using cluster = await open()
        await play(cluster, steps)
      }),
      { numRuns: 15 },
    )
  })
}

type Step = { do: 'put' | 'again' | 'take' | 'link' | 'stale' | 'side' | 'repeat'; node: number; pick: number }

const stepArbitrary: Arbitrary<Step> = record({
  do: constantFrom('put', 'put', 'again', 'take', 'link', 'link', 'stale', 'side', 'repeat'),
  node: nat(1),
  pick: nat(100),
})

/** Plays steps of nodes and a leader, several at a time, and then looks for each batch. */
async function play({ log, other }: OpenedClusterLog, steps: readonly Step[]): Promise<void> {
  const lead = candidate('a')
  const lease = await leaseOf(log, lead)
  const put: IntakeBatch[] = []
  const chain: Link[] = []
  let taken: string[] = []
  for (const { do: step, node, pick } of steps) {
    const at = node === 0 ? log : other
    const again = put[pick % Math.max(1, put.length)]
    const end = chain.at(-1) ?? null
    const linked = new Set(chain.flatMap((link) => link.taken))
    if (step === 'put') {
      const batches = [batchOf(`${put.length}`), batchOf(`${put.length + 1}`)]
      put.push(...batches)
      await Promise.all(batches.map((batch) => at.put(batch, [], withinMs)))
    } else if (step === 'again' && again !== undefined && !linked.has(again.id)) await at.put(again, [], withinMs)
    else if (step === 'take') taken = (await at.take([])).map(({ id }) => id)
    else if (step === 'link') {
      const link = linkAfter(end, lease, { taken: taken.filter((id) => !linked.has(id)) })
      const tries = [at.link(link, lead.run), log.link(link, lead.run)]
      expect(await Promise.all(tries)).toEqual(['stored', 'stored'])
      chain.push(link)
    } else if (step === 'stale')
      expect(await at.link(linkAfter(end, { ...lease, term: 0 }, { taken }), lead.run)).toBe('fenced')
    else if (step === 'side' && end !== null)
      expect(await at.link(linkAfter(chain.at(-2) ?? null, lease, { taken }), lead.run)).toBe('elsewhere')
    else if (step === 'repeat' && end !== null) expect(await at.link(end, lead.run)).toBe('stored')
  }
  const inChain = (await chainOf(other)).flatMap((link) => link.taken)
  const inIntake = (await takeAll(log)).map(({ id }) => id)
  expect([...inChain, ...inIntake].toSorted()).toEqual(put.map(({ id }) => id).toSorted())
  expect((await chainOf(log)).map(({ id }) => id)).toEqual(chain.map(({ id }) => id))
}
