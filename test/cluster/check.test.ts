import { expect, test } from 'bun:test'
import { Following } from '../../src/cluster/following.ts'
import { Leading } from '../../src/cluster/leading.ts'
import { newId } from '../../src/lib/id.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'
import { MemoryReplica } from '../harness/memory-replica.ts'

const hourMs = 60 * 60_000

/** A leader with a record, and a follower that has it. */
async function aPair() {
  let nowMs = 0
  const clock = { now: () => nowMs, monotonicMs: () => nowMs }
  const log = new MemoryClusterLog(clock.monotonicMs)
  const candidate = { node: 'a', run: newId(), address: '', certificate: '' }
  const lease = await log.lease(candidate)
  const replica = new MemoryReplica()
  replica.found('box')
  const leading = new Leading({
    ...{ log, replica, clock, run: candidate.run, term: lease?.term ?? 0, version: '1.2.3' },
    leads: () => true,
    bases: () => null,
  })
  await leading.begin()
  const follower = new MemoryReplica().copyOf(replica)
  const turn = async (ms: number): Promise<void> => {
    nowMs += ms
    await leading.turn()
  }
  replica.lines.push('account\tx')
  await turn(0)
  return { log, replica, follower, turn }
}

const follow = async (log: MemoryClusterLog, replica: MemoryReplica, version = '1.2.3') => {
  const following = new Following({ log, replica, version })
  return { reach: await following.toEnd(), differing: following.differing }
}

test('nodes compare what they derived once an hour, and one that differs says in what', async () => {
  const { log, replica, follower, turn } = await aPair()
  const [wrong, upgraded] = [new MemoryReplica().copyOf(follower), new MemoryReplica().copyOf(follower)]
  wrong.wrong = upgraded.wrong = 'something else'
  await turn(hourMs - 1000)
  replica.lines.push('account\ty')
  replica.processed = 1
  await turn(1000)
  replica.processed = 3
  await turn(100)
  replica.lines.push('account\tz')
  await turn(1000)
  await turn(1000)
  const links = await log.links(null)
  const kinds = links === 'elsewhere' ? [] : links.map(({ kind }) => kind)
  expect(kinds).toEqual(['term', 'rows', 'rows', 'check', 'rows', 'check'])
  expect(await follow(log, follower)).toEqual({ reach: 'whole', differing: [] })
  expect(await follow(log, wrong)).toEqual({ reach: 'differs', differing: ['lines'] })
  expect(await follow(log, upgraded, '1.3.0')).toEqual({ reach: 'whole', differing: [] })
})

test('a follower that cannot sum up what it derived goes on', async () => {
  const { log, follower, turn } = await aPair()
  follower.sums = () => Promise.reject(new Error('the table is damaged'))
  await turn(hourMs)
  await turn(1000)
  expect(await follow(log, follower)).toEqual({ reach: 'whole', differing: [] })
})
