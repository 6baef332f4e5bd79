import { expect, test } from 'bun:test'
import type { Asset } from '../../src/asset/asset.ts'
import { missingAddresses } from '../../src/operations/overview/missing-addresses.ts'
import { account as sampleAccount } from '../cli/sample-account.ts'

const named = [
  { id: 'id', handle: 'acme', name: 'Acme', timezone: 'UTC', noLeadsForHours: null, domains: ['go.acme.example'] },
]

const page = (name: string): Asset => ({
  id: `id-${name}`,
  kind: 'page',
  name,
  current: {
    ...{ number: 1, sha256: 'a', byteCount: 1, variants: [], state: 'live', publishedAt: 0, publishedBy: 'apply' },
    ...{ liveFrom: null, liveUntil: null },
  },
})

/** What the overview says when visitors asked for these paths twelve times a day. */
async function foundOf(...paths: string[]) {
  const sample = sampleAccount()
  const settings = { ...sample.settings, redirects: [{ from: '/moved', to: '/launch', status: 302 as const }] }
  const box = {
    overview: { missing: async () => paths.map((path) => ({ accountId: 'id', path, count: 12 })) },
    accounts: { find: async () => ({ ...sample, settings }) },
    catalogue: { assets: async () => [page('launch'), page('spring-offer')] },
    clock: { now: () => Date.UTC(2026, 10, 22), monotonicMs: () => 0 },
  } as unknown as Parameters<typeof missingAddresses>[0]
  const [result] = await missingAddresses(box, named)
  return result
}

test('an address that is often asked for is named, with the lines that lead to the nearest page', async () => {
  const result = await foundOf('/spring-ofer', '/%C3%BCber')
  expect(result?.found).toBe(
    'Visitors of Acme ask for addresses where nothing is: /spring-ofer (12 times a day), /%C3%BCber (12 times a day).',
  )
  expect(result?.lines).toBe(
    '[[redirects]]\nfrom = "/spring-ofer"\nto = "/spring-offer"\n\n[[redirects]]\nfrom = "/über"\nto = "/…"\n',
  )
})

test.each(['/moved', '/launch', '/launch/', '/favicon.ico', '/.well-known/x', '/_preview/x'])(
  '%s, which leads somewhere or which nobody links to, is not named',
  async (path) => {
    expect(await foundOf(path)).toBeUndefined()
  },
)

test('no lines are offered for an address of which a part was personal', async () => {
  const result = await foundOf('/hello/-')
  expect([result?.found.includes('/hello/-'), result?.lines]).toEqual([true, undefined])
})
