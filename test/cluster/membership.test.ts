import { afterEach, describe, expect, test } from 'bun:test'
import { emptyBatch } from '../../src/capture/write-batch.ts'
import { ClusterCommitter } from '../../src/cluster/cluster-committer.ts'
import { type ClusterLog, ClusterLogAway, leaseMs } from '../../src/cluster/cluster-log.ts'
import { JoiningAnew } from '../../src/cluster/joining-anew.ts'
import { fenceMs } from '../../src/cluster/lease-keeper.ts'
import { failingMsMax, Membership, type Standing } from '../../src/cluster/membership.ts'
import { newId } from '../../src/lib/id.ts'
import type { Log } from '../../src/lib/log.ts'
import { eventually } from '../harness/eventually.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'
import { MemoryReplica } from '../harness/memory-replica.ts'

/** Time that a test can let pass. */
class Time {
  private passedMs = 0
  readonly monotonicMs = () => performance.now() + this.passedMs
  readonly now = () => Date.now()
  pass(ms: number): void {
    this.passedMs += ms
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

const running: Membership[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((membership) => membership.stop()))
})

interface NodeOptions {
  time: Time
  certificate?: string
  notices?: Log
  log: ClusterLog
  replica?: MemoryReplica
  mayLead?: boolean
  joining?: JoiningAnew
}

function startNode(name: string, options: NodeOptions) {
  const {
    time,
    log,
    replica = new MemoryReplica(),
    mayLead = true,
    joining,
    notices = silent,
    certificate = '',
  } = options
  let standing: Standing = { leadsMs: 0, leader: null, reach: 'more', isLeftBehind: false, hasEnded: false }
  const membership = new Membership({
    ...{ log, replica, clock: time, mayLead, notices, cluster: 'box' },
    ...(joining && { joining }),
    prepare: async () => {},
    version: '1.2.3',
    candidate: { node: name, run: newId(), address: `${name}:7443`, certificate },
    onStanding: (known) => {
      standing = known
    },
  })
  running.push(membership)
  return { membership, replica, standing: () => standing, leads: () => standing.leadsMs > 0 }
}

/** A cluster with one node that leads, and what captures into it. */
async function cluster() {
  const time = new Time()
  const log = new MemoryClusterLog(time.monotonicMs)
  const faults = { link: null as ((stored: boolean) => Promise<void>) | null, away: false }
  const seen: ClusterLog = Object.assign(Object.create(log) as ClusterLog, {
    link: async (...args: Parameters<ClusterLog['link']>) => {
      if (faults.away) throw new ClusterLogAway('away')
      const answer = await log.link(...args)
      await faults.link?.(answer === 'stored')
      return answer
    },
    lease: (candidate: Parameters<ClusterLog['lease']>[0]) =>
      faults.away ? Promise.reject(new ClusterLogAway('away')) : log.lease(candidate),
    release: (run: string) => log.release(run),
  })
  const committer = new ClusterCommitter({ log, node: 'b', clock: time, knowsAccount: () => true })
  const capture = (line: string) => committer.commit({ ...emptyBatch, entries: `account\t${line}` })
  const first = startNode('a', { time, log: seen })
  await eventually('the first node leads', async () => first.leads())
  return { time, log, faults, capture, first }
}

describe('a node of a cluster', () => {
  test('founds it, commits what was captured, and clears the intake with the link', async () => {
    const { capture, first, log } = await cluster()
    await capture('x')
    await eventually('the intake is empty', async () => (await log.take([])).length === 0)
    expect(first.replica.lines).toEqual(['account\tx'])
    expect(first.replica.delivers).toBe(true)
  })

  test('keeps what is not processed yet in the intake', async () => {
    const { capture, first, log } = await cluster()
    first.replica.processed = 0
    await capture('x')
    await eventually('it is committed', async () => first.replica.lines.length === 1)
    void first.membership.share()
    await Bun.sleep(0)
    expect(await log.take([])).toHaveLength(1)
    first.replica.processed = 1
    await eventually('the intake is empty', async () => (await log.take([])).length === 0)
  })

  test('follows the leader, delivers nothing, and takes over when its lease ends', async () => {
    const { time, capture, first, faults, log } = await cluster()
    const second = startNode('b', { time, log, replica: new MemoryReplica().copyOf(first.replica) })
    await capture('x')
    await eventually('the second has it', async () => second.replica.lines.length === 1)
    expect(second.replica.delivers).toBe(false)
    faults.away = true
    await capture('y')
    time.pass(leaseMs)
    await eventually('the second leads', async () => second.leads())
    await eventually('the second has what the first did not link', async () => second.replica.lines.length === 2)
    expect(second.replica.lines).toEqual(['account\tx', 'account\ty'])
    expect(second.replica.delivers).toBe(true)
  })

  test('leaves the lease to others while it cannot apply what they linked', async () => {
    const { time, capture, first, faults, log } = await cluster()
    const replica = new MemoryReplica().copyOf(first.replica)
    let tries = 0
    replica.apply = () => Promise.reject(new Error(`it does not fit, ${tries++}`))
    const second = startNode('b', { time, log, replica })
    await eventually('the second follows', async () => second.standing().reach === 'whole')
    await capture('x')
    await eventually('it cannot', async () => tries > 0)
    faults.away = true
    time.pass(leaseMs)
    const before = tries
    await eventually('it has looked for the lease since', async () => tries > before + 10)
    expect((await log.lease(null))?.node).toBe('a')
  })

  test('stops leading 6 s after it asked for the lease that it got last', async () => {
    const { time, first, faults } = await cluster()
    faults.away = true
    time.pass(fenceMs)
    await eventually('it has stopped', async () => !first.replica.delivers)
    expect(first.leads()).toBe(false)
  })

  test('sends a link again whose answer was lost, and stores it once', async () => {
    const { capture, first, faults, log } = await cluster()
    let lost = 0
    faults.link = async () => {
      if (lost++ === 0) throw new ClusterLogAway('the answer was lost')
    }
    await capture('x')
    await first.membership.share()
    const links = await log.links(null)
    expect(links === 'elsewhere' ? [] : links.map(({ kind }) => kind)).toEqual(['term', 'rows'])
    expect(first.leads()).toBe(true)
  })

  test('says that a change is shared once its link is stored', async () => {
    const { first, faults, log } = await cluster()
    const answered = Promise.withResolvers<void>()
    faults.link = () => answered.promise
    first.replica.lines.push('account\tchange')
    let isShared = false
    const shared = first.membership.share().then(() => {
      isShared = true
    })
    await eventually('the link is sent', async () => (await log.links(null)).length === 2)
    expect(isShared).toBe(false)
    answered.resolve()
    await shared
  })

  test('shares what is left before it stops', async () => {
    const { first, log } = await cluster()
    first.replica.lines.push('account\tchange')
    await first.membership.stop()
    expect(first.replica.position()?.linkedTo).toBe(1)
    expect(await log.links(null)).toHaveLength(2)
  })

  test('that is stopped gives the lead away at once', async () => {
    const { time, first, log } = await cluster()
    const second = startNode('b', { time, log, replica: new MemoryReplica().copyOf(first.replica) })
    await eventually('the second follows', async () => second.standing().reach === 'whole')
    await first.membership.stop()
    await eventually('the second leads', async () => second.leads())
    expect((await log.lease(null))?.term).toBe(2)
  })

  test('that is killed, or hands over, leads on after a restart, although another waits for the lead', async () => {
    const { time, capture, first, log } = await cluster()
    const second = startNode('b', { time, log, replica: new MemoryReplica().copyOf(first.replica) })
    await eventually('the second follows', async () => second.standing().reach === 'whole')
    await first.membership.stop(true)
    await capture('x')
    const again = startNode('a', { time, log, replica: first.replica })
    await eventually('the first leads on', async () => again.leads())
    expect(second.leads()).toBe(false)
    expect(first.replica.lines).toEqual(['account\tx'])
  })

  test('that fails at leading for 5 s lets another lead, unless there is none', async () => {
    const { time, first, log } = await cluster()
    let tries = 0
    first.replica.nextLink = () => {
      tries++
      throw new Error('the disk is full')
    }
    const fails = async (isOver: () => boolean) => {
      const before = tries
      await eventually('it fails', async () => tries > before || isOver())
      time.pass(failingMsMax / 2)
    }
    for (let times = 0; times < 4; times++) await fails(() => false)
    expect((await log.lease(null))?.node).toBe('a')
    const second = startNode('b', { time, log, replica: new MemoryReplica().copyOf(first.replica) })
    await eventually('the second follows', async () => second.standing().reach === 'whole')
    await eventually('the second has said so', async () => (await log.overview()).nodes.length === 2)
    for (let times = 0; times < 3; times++) await fails(second.leads)
    await eventually('the second leads', async () => second.leads())
    expect(first.leads()).toBe(false)
  })

  test('that fails goes on leading while others only follow that never lead', async () => {
    const { time, first, log } = await cluster()
    const replica = new MemoryReplica().copyOf(first.replica)
    const second = startNode('b', { time, log, replica, mayLead: false })
    await eventually('the second follows', async () => second.standing().reach === 'whole')
    await eventually('the second has said so', async () => (await log.overview()).nodes.length === 2)
    let [tries, releases] = [0, 0]
    log.release = async () => void releases++
    first.replica.nextLink = () => {
      tries++
      throw new Error('the disk is full')
    }
    for (let times = 0; times < 4; times++) {
      const before = tries
      await eventually('it fails', async () => tries > before || releases > 0)
      time.pass(failingMsMax / 2)
    }
    expect(releases).toBe(0)
  })

  test('that hears late of its first link leads on with it', async () => {
    const { time, first, log } = await cluster()
    await first.membership.stop(true)
    first.replica.lines.push('account\tx')
    let late: (() => Promise<unknown>) | null = null
    const delaying: ClusterLog = Object.assign(Object.create(log) as ClusterLog, {
      lease: log.lease.bind(log),
      async link(...args: Parameters<ClusterLog['link']>) {
        if (late === null) {
          late = () => log.link(...args)
          throw new ClusterLogAway('the answer was lost')
        }
        await late()
        return log.link(...args)
      },
    })
    const again = startNode('a', { time, log: delaying, replica: first.replica })
    await eventually('it leads', async () => again.leads())
    expect(again.standing().reach).toBe('whole')
  })

  test('goes astray with what another leader does not know, and neither leads nor changes anything', async () => {
    const { time, first, faults, log } = await cluster()
    const second = startNode('b', { time, log, replica: new MemoryReplica().copyOf(first.replica) })
    faults.away = true
    first.replica.lines.push('account\tonly here')
    time.pass(leaseMs)
    await eventually('the second leads', async () => second.leads())
    second.replica.lines.push('account\tother')
    await second.membership.share()
    faults.away = false
    await eventually('the first is astray', async () => first.standing().reach === 'astray')
    expect(first.replica.lines).toEqual(['account\tonly here'])
    expect(first.replica.delivers).toBe(false)
  })

  test('that is astray joins anew once another leads, and says until then that others are ahead', async () => {
    const { time, first, faults, log } = await cluster()
    let staged = 0
    const stage = async () => void staged++
    const joining = new JoiningAnew({ ...{ stage, astray: () => [], onStaged() {} }, clock: time, notices: silent })
    const replica = new MemoryReplica().copyOf(first.replica)
    replica.lines.push('account\tonly here')
    await first.membership.stop()
    first.replica.lines.push('account\tother')
    // A chain that went on without the second, and nobody who leads.
    const next = startNode('a', { time, log, replica: first.replica })
    await eventually('the first leads again', async () => next.leads())
    await next.membership.share()
    faults.away = false
    const second = startNode('b', { time, log, replica, joining })
    await eventually('it has a copy', async () => staged === 1)
    await eventually('it says so', async () => second.standing().isLeftBehind)
    const { nodes } = await log.overview()
    await eventually('all see it', async () => (await log.overview()).nodes.some(({ state }) => state === 'astray'))
    expect(nodes.find(({ name }) => name === 'a')?.state).toBe('follows')
  })

  test('does not found a cluster that has a history already', async () => {
    const { time, log } = await cluster()
    const restored = startNode('b', { time, log })
    await eventually('it is astray', async () => restored.standing().reach === 'astray')
    expect(restored.replica.position()).toBeNull()
  })

  test('lets the node lead that an operator wants to, with everything, and rests meanwhile', async () => {
    const { time, capture, first, log } = await cluster()
    const second = startNode('b', { time, log, replica: new MemoryReplica().copyOf(first.replica) })
    await eventually('the second follows', async () => second.standing().reach === 'whole')
    await capture('x')
    await log.nominate('b')
    await eventually('the second leads', async () => second.leads())
    expect([first.leads(), first.replica.delivers, second.replica.lines]).toEqual([false, false, ['account\tx']])
    await capture('y')
    await eventually('the first follows', async () => first.replica.lines.length === 2)
    expect(first.standing().reach).toBe('whole')
  })

  test('says so when another machine has its name', async () => {
    const { time, first, log } = await cluster()
    const said: string[] = []
    const notices = { ...silent, error: (message: string) => void said.push(message) }
    const replica = new MemoryReplica().copyOf(first.replica)
    startNode('a', { time, log, replica, notices, certificate: 'of another process' })
    await eventually('it says so', async () => said.length > 0)
    expect(said).toEqual([expect.stringContaining('Give each a [cluster] node of its own')])
  })

  test('never leads where it may not', async () => {
    const time = new Time()
    const log = new MemoryClusterLog(time.monotonicMs)
    const node = startNode('a', { time, log, mayLead: false })
    await eventually('it has looked', async () => node.standing().reach === 'whole')
    expect(await log.lease(null)).toBeNull()
  })
})
