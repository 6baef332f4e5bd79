import { expect, test } from 'bun:test'
import type { PairText } from '../../src/https/certificate-pair.ts'
import { Certificates } from '../../src/https/certificates.ts'
import { makeCertificate } from '../harness/certificates.ts'

const [go, shop] = ['go.acme.test', 'shop.acme.test']
const dayMs = 86_400_000

/** Certificates over a source that a test changes, and what they have logged. */
function certificates(files: Record<string, PairText | { fault: string }>, { areOwn = false } = {}) {
  const said: { host: unknown; message: string }[] = []
  const warn = (message: string, fields = {}) => void said.push({ host: Reflect.get(fields, 'host'), message })
  const time = { now: Date.now() }
  const held = new Certificates({
    source: { read: async (host) => files[host] ?? null },
    areOwn,
    clock: { now: () => time.now },
    log: { warn },
  })
  return { held, said, time, hosts: () => held.pairs.map(({ host }) => host) }
}

test('only the pairs of the hosts asked for are held', async () => {
  const { held, hosts } = certificates({ [go]: makeCertificate(go), 'stranger.test': makeCertificate('stranger.test') })
  expect(await held.look([go, shop])).toBe(true)
  expect(hosts()).toEqual([go])
})

test('a look that finds nothing new says so', async () => {
  const { held } = certificates({ [go]: makeCertificate(go) })
  await held.look([go])
  expect(await held.look([go])).toBe(false)
})

test('a bad pair stops no other, and is logged with its host once', async () => {
  const { held, said, hosts } = certificates({ [go]: makeCertificate(shop), [shop]: makeCertificate(shop) })
  await held.look([go, shop])
  await held.look([go, shop])
  expect(hosts()).toEqual([shop])
  expect(said.map(({ host }) => host)).toEqual([go])
})

test.each([
  ['breaks', { certificate: 'half a fi', key: 'le' }],
  ['is half gone', { fault: 'go.acme.test.key is there and go.acme.test.crt is not' }],
  ['is gone', undefined],
])('a pair that %s later keeps its last good certificate, and the log names the host', async (_, later) => {
  const files: Record<string, PairText | { fault: string }> = { [go]: makeCertificate(go) }
  const { held, said } = certificates(files)
  await held.look([go])
  const before = held.pairs
  if (later === undefined) delete files[go]
  else files[go] = later
  expect(await held.look([go])).toBe(false)
  expect(held.pairs).toEqual(before)
  expect(said).toMatchObject([{ host: go, message: expect.stringContaining('The last good one stays in use.') }])
})

test('a mended pair is taken, and a fault after it logged anew', async () => {
  // Made before the clock is held: a certificate is not valid before the second in which it is made.
  const [bad, good] = [makeCertificate(shop), makeCertificate(go)]
  const files: Record<string, PairText> = { [go]: bad }
  const { held, said } = certificates(files)
  await held.look([go])
  files[go] = good
  expect(await held.look([go])).toBe(true)
  files[go] = bad
  await held.look([go])
  expect(said).toHaveLength(2)
})

test('one that expires while it is in use stays, and is named', async () => {
  const { held, said, time, hosts } = certificates({ [go]: makeCertificate(go) })
  await held.look([go])
  time.now += 31 * dayMs
  await held.look([go])
  expect(hosts()).toEqual([go])
  expect(said).toMatchObject([{ host: go, message: expect.stringContaining('expired') }])
})

test('a domain that is connected no longer loses its certificate', async () => {
  const { held } = certificates({ [go]: makeCertificate(go) })
  await held.look([go])
  expect(await held.look([shop])).toBe(true)
  expect(held.pairs).toEqual([])
})

test.each([
  ['behind', -365 * dayMs, 'is not valid before'],
  ['ahead', 365 * dayMs, 'expired at'],
])('a certificate of the box’s own is used under a clock that is %s, and the log names it', async (_, byMs, words) => {
  const files = { [go]: makeCertificate(go) }
  const own = certificates(files, { areOwn: true })
  own.time.now += byMs
  await own.held.look([go])
  expect(own.hosts()).toEqual([go])
  expect(own.said).toEqual([{ host: go, message: expect.stringContaining(words) }])
  const others = certificates(files)
  others.time.now += byMs
  await others.held.look([go])
  expect(others.hosts()).toEqual([])
})

test('where it is known which pairs may have changed, no other is read again', async () => {
  const files: Record<string, PairText> = { [go]: makeCertificate(go), [shop]: makeCertificate(shop) }
  const { held, time } = certificates(files)
  await held.look([go, shop])
  const before = held.pairs
  files[go] = makeCertificate(go)
  files[shop] = makeCertificate(shop)
  // They may be of a later second, and are not taken before it.
  time.now = Date.now()
  expect(await held.look([go, shop], new Set([shop]))).toBe(true)
  expect(held.pairs.map((pair) => before.includes(pair))).toEqual([true, false])
})
