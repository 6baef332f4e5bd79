import { eventually } from '../../harness/eventually.ts'
import { canShiftClocks, shiftedClock } from '../../harness/shifted-clock.ts'
import { type Moment, trapped } from '../../harness/statement-trap.ts'
import type { TrialCluster } from './trial-cluster.ts'
import type { TrialNode } from './trial-node.ts'

/** Something that fails under load, and is well again in the end; nodes may be dead then. */
export interface Fault {
  name: string
  happens(cluster: TrialCluster): Promise<unknown>
}

const anyOf = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new RangeError('there is none')
  return item
}

const aWhile = (ms: number): Promise<void> => Bun.sleep(Math.random() * ms)

/** The steps of the protocol, by the statements with which they are asked for. */
const steps = [
  { step: 'leaves a batch', statement: 'INSERT INTO intake', by: 'any' },
  { step: 'takes the intake', statement: 'octet_length(body)', by: 'leader' },
  { step: 'adds a link', statement: 'FOR UPDATE', by: 'leader' },
  { step: 'renews its lease', statement: 'INSERT INTO lease', by: 'leader' },
  { step: 'says what it is', statement: 'INSERT INTO node', by: 'any' },
  { step: 'reads links', statement: 'FROM link', by: 'follower' },
] as const

const whoIs = async (cluster: TrialCluster, by: 'any' | 'leader' | 'follower'): Promise<TrialNode> => {
  if (by === 'any') return anyOf(cluster.nodes)
  return by === 'leader' ? cluster.leader() : anyOf(await cluster.followers())
}

const moments: readonly Moment[] = ['asked', 'answered']

const killsAtSteps: Fault[] = steps.flatMap(({ step, statement, by }) =>
  moments.map((moment) => ({
    name: `${by === 'any' ? 'a node' : `the ${by}`} is killed when it ${step}${moment === 'asked' ? ', before' : ' and has not heard'}`,
    async happens(cluster: TrialCluster) {
      const node = await whoIs(cluster, by)
      await trapped(node.proxy, statement, moment)
      // Sometimes it is back at once, sometimes another one leads when it comes.
      if (by !== 'leader' || Math.random() < 0.5) return node.ends('SIGKILL')
      return cluster.losesItsLeader(`it is killed when it ${step}`, () => node.ends('SIGKILL'))
    },
  })),
)

/** The one who would take over dies as well, with its first link on the way. */
const killsOfSuccessors: Fault[] = moments.map((moment) => ({
  name: `the leader is killed, and the next one when its first link was ${moment}`,
  async happens(cluster) {
    const leader = await cluster.leader()
    const others = cluster.nodes.filter((node) => node !== leader)
    await leader.ends('SIGKILL')
    const next = others.map((node) => trapped(node.proxy, 'FOR UPDATE', moment).then(() => node))
    const successor = await Promise.race(next)
    for (const { proxy } of others) proxy.watch = null
    await successor.ends('SIGKILL')
    await cluster.captures(20)
  },
}))

const standstills: Fault[] = [3, 9, 60].map((seconds) => ({
  name: `the leader stands still for ${seconds} s`,
  happens(cluster) {
    const ms = seconds * 1000
    // Before, nobody takes its place.
    if (seconds < 8) return cluster.leader().then((leader) => leader.standsStill(ms))
    return cluster.losesItsLeader(`it stands still for ${seconds} s`, (leader) => leader.standsStill(ms))
  },
}))

const hourSeconds = 3600

const wrongClocks: Fault[] = (canShiftClocks ? [hourSeconds, -hourSeconds] : []).flatMap((seconds) =>
  (['leader', 'follower'] as const).map((by) => ({
    name: `the clock of the ${by} is an hour ${seconds > 0 ? 'ahead' : 'behind'}`,
    async happens(cluster: TrialCluster) {
      const node = await whoIs(cluster, by)
      const others = cluster.nodes.filter((other) => other !== node)
      if (by === 'leader') for (const other of others) await other.ends('SIGTERM')
      await node.ends('SIGTERM')
      await node.serve(shiftedClock(seconds))
      await cluster.leader()
      for (const other of others) if (other.server === null) await other.serve()
      await cluster.captures(100)
      await node.ends('SIGTERM')
      await Promise.all(cluster.nodes.map((each) => each.left()))
      // What came in by a clock that is ahead is due by that clock.
      await eventually('all of it is delivered', async () => {
        const { box } = await cluster.leader()
        await box.run(['delivery', 'retry', 'acme'])
        return cluster.hasDelivered
      })
    },
  })),
)

export const faults: readonly Fault[] = [
  {
    name: 'the leader is killed',
    happens: (cluster) => cluster.losesItsLeader('it is killed', (leader) => leader.ends('SIGKILL')),
  },
  {
    name: 'the leader is stopped',
    happens: (cluster) => cluster.losesItsLeader('it is stopped', (leader) => leader.ends('SIGTERM')),
  },
  {
    name: 'a follower is killed',
    happens: async (cluster) => anyOf(await cluster.followers()).ends('SIGKILL'),
  },
  {
    name: 'any node is killed at any moment',
    async happens(cluster) {
      await aWhile(2000)
      await anyOf(cluster.nodes).ends('SIGKILL')
    },
  },
  {
    name: 'all nodes are killed at once',
    happens: (cluster) => Promise.all(cluster.nodes.map((node) => node.ends('SIGKILL'))),
  },
  ...killsAtSteps,
  ...killsOfSuccessors,
  ...standstills,
  ...wrongClocks,
  {
    name: 'PostgreSQL is killed',
    async happens({ postgres }) {
      await postgres.crash()
      await aWhile(6000)
      await postgres.start()
    },
  },
  {
    name: 'PostgreSQL stands still for 12 s',
    async happens({ postgres }) {
      using _frozen = postgres.frozen()
      await Bun.sleep(12_000)
    },
  },
  { name: 'PostgreSQL fails over', happens: (cluster) => cluster.failOver() },
  {
    name: 'the leader is cut off from PostgreSQL',
    happens: (cluster) => cluster.losesItsLeader('it is cut off', (leader) => leader.isCutOff(15_000)),
  },
  {
    name: 'a follower is cut off from PostgreSQL',
    happens: async (cluster) => anyOf(await cluster.followers()).isCutOff(10_000),
  },
  {
    name: 'answers of PostgreSQL get lost for 3 s',
    async happens({ nodes }) {
      for (const { proxy } of nodes) proxy.swallows = true
      await Bun.sleep(3000)
      for (const { proxy } of nodes) {
        proxy.cut()
        proxy.swallows = false
      }
    },
  },
  {
    name: 'the store is away',
    async happens(cluster) {
      await cluster.s3.stop()
      await cluster.captures(50)
      await cluster.s3.start()
    },
  },
]
