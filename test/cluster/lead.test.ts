import { expect, test } from 'bun:test'
import type { NodeNews } from '../../src/cluster/cluster-log.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/id.ts'
import { leadBy } from '../../src/operations/cluster/lead.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'

const news: NodeNews = {
  ...{ name: 'b', address: 'b:7443', certificate: '', version: '1.2.3', schema: 7, applied: 101 },
  ...{ state: 'follows', mayLead: true },
}

test.each([
  ['says nothing', null, 'it has said nothing for 11 s'],
  ['must not lead', { mayLead: false }, 'its configuration has [cluster] lead = false'],
  ['has a history of its own', { state: 'astray' }, 'it joins anew'],
  ['fetches a copy', { state: 'joins' }, 'it joins anew: wait until it follows'],
  ['is of a newer version', { state: 'paused' }, 'it has a newer version than the leader'],
  ['is of an older version', { state: 'paused', schema: 6 }, 'it has an older version than the leader'],
  ['is far behind', { applied: 0 }, 'it lacks 101 links'],
] as const)('no node is made to lead that %s', async (_, changed, why) => {
  let nowMs = 0
  const log = new MemoryClusterLog(() => nowMs)
  await log.announce(news)
  nowMs += 11_000
  if (changed !== null) await log.announce({ ...news, ...changed })
  const lead = { node: 'a', run: newId(), address: '', certificate: '' }
  await log.lease(lead)
  let previous: string | null = null
  for (let number = 1; number <= 101; number++) {
    const id = newId()
    const link = { number, id, previous, term: 1, schema: 7, kind: 'rows', body: new Uint8Array() } as const
    await log.link({ ...link, taken: [] }, lead.run)
    previous = id
  }
  await log.announce({ ...news, name: 'a' })
  await expect(leadBy(log, 'b', systemClock)).rejects.toThrow(`"b" cannot lead: ${why}`)
  expect((await log.lease(null))?.nominee).toBeNull()
})
