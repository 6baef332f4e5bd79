import { describe, expect, test } from 'bun:test'
import type { ClusterLog, IntakeBatch, Link } from '../../src/cluster/cluster-log.ts'
import { SealedLog } from '../../src/cluster/sealed-log.ts'
import { newId } from '../../src/lib/id.ts'
import { newSecret } from '../../src/lib/sign.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'

const text = 'ada@example.com'
const body = new Uint8Array(Buffer.from(text))
const batch: IntakeBatch = { id: newId(), node: 'a', format: 1, entries: 1, body }
const lead = { node: 'a', run: newId(), address: 'a:7443', certificate: 'pin' }
const link: Link = { number: 1, id: newId(), previous: null, term: 1, schema: 1, kind: 'rows', taken: [batch.id], body }
const spend = { accountId: 'account', challenge: 'a challenge', expiresAt: 1 }

/** The same log with columns beside a body changed. */
function changing(log: ClusterLog, changed: Partial<IntakeBatch & Link>): ClusterLog {
  const take: ClusterLog['take'] = async (except) => (await log.take(except)).map((row) => ({ ...row, ...changed }))
  const links: ClusterLog['links'] = async (after) =>
    ((await log.links(after)) as Link[]).map((row) => ({ ...row, ...changed }))
  return Object.assign(Object.create(log), { take, links }) as ClusterLog
}

async function filled(secret: Uint8Array): Promise<MemoryClusterLog> {
  const log = new MemoryClusterLog(() => 0)
  const sealed = new SealedLog(log, secret)
  await sealed.lease(lead)
  await sealed.link(link, lead.run)
  await sealed.put(batch, [spend], 1000)
  return log
}

describe('a sealed log', () => {
  test('shows the database neither what was captured nor challenges', async () => {
    const inner = new MemoryClusterLog(() => 0)
    const shown: string[] = []
    const put: ClusterLog['put'] = (given, spends) => {
      shown.push(...spends.map(({ challenge }) => challenge), Buffer.from(given.body).toString('latin1'))
      return inner.put(given, spends)
    }
    await new SealedLog(Object.assign(Object.create(inner), { put }), newSecret()).put(batch, [spend], 1000)
    expect(shown.filter((seen) => seen.includes(text) || seen.includes(spend.challenge))).toEqual([])
  })

  test.each<[string, Partial<IntakeBatch & Link>]>([
    ['another node’s', { node: 'b' }],
    ['another batch’s', { id: newId() }],
    ['another format’s', { format: 2 }],
  ])('does not open a batch as %s', async (_, changed) => {
    const secret = newSecret()
    const log = new SealedLog(changing(await filled(secret), changed), secret)
    await expect(log.take([])).rejects.toThrow('does not open with the secret')
  })

  test.each<[string, Partial<IntakeBatch & Link>]>([
    ['that took other batches', { taken: [] }],
    ['of another term', { term: 2 }],
    ['after another one', { previous: newId() }],
    ['of another kind', { kind: 'base' }],
  ])('does not open a link as one %s', async (_, changed) => {
    const secret = newSecret()
    const log = new SealedLog(changing(await filled(secret), changed), secret)
    await expect(log.links(null)).rejects.toThrow('does not open with the secret')
  })

  test('takes no batch from a node with another secret', async () => {
    const secret = newSecret()
    const inner = new MemoryClusterLog(() => 0)
    const log = new SealedLog(inner, secret)
    await log.lease(lead)
    await log.link({ ...link, kind: 'base' }, lead.run)
    await expect(new SealedLog(inner, newSecret()).put(batch, [], 1000)).rejects.toThrow(
      'Is it the same on every node?',
    )
    expect(await log.take([])).toEqual([])
  })

  test('shows no certificate that somebody else wrote into the database', async () => {
    const secret = newSecret()
    const inner = new MemoryClusterLog(() => 0)
    const log = new SealedLog(inner, secret)
    await log.lease(lead)
    const news = {
      address: 'a:7443',
      version: '1.2.3',
      schema: 7,
      applied: 0,
      state: 'follows',
      mayLead: true,
    } as const
    await log.announce({ ...news, name: 'a', certificate: 'pin' })
    expect([(await log.lease(null))?.certificate, (await log.overview()).nodes[0]?.certificate]).toEqual(['pin', 'pin'])
    const signed = (await inner.lease(null))?.certificate ?? ''
    await inner.announce({ ...news, name: 'a', certificate: signed.replace('pin', 'own') })
    await inner.announce({ ...news, name: 'b', certificate: signed })
    expect((await log.overview()).nodes.map(({ certificate }) => certificate)).toEqual(['', ''])
  })

  test('does not open with another secret', async () => {
    const log = new SealedLog(await filled(newSecret()), newSecret())
    await expect(log.take([])).rejects.toThrow('Is it the same on every node?')
  })
})
