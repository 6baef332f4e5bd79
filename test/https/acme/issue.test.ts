import { expect, test } from 'bun:test'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { checkedPair } from '../../../src/https/certificate-pair.ts'
import { acmeWorld, orderFor } from './acme-world.ts'
import { problemIn } from './failure.ts'

const host = 'shop.some-customer.com'

const leafOf = (certificate: string) => new X509Certificate(certificate)
const certificatesIn = (chain: string) => chain.match(/-----BEGIN CERTIFICATE-----/g)?.length

test('a certificate is issued for a host that answers HTTP-01, and its pair can be used', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const pair = await (await world.account()).order(orderFor(world, host))
  expect(checkedPair(host, pair, Date.now())).toMatchObject({ pair: { host, ...pair } })
})

test('the chain leads to the root of the authority', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const { certificate } = await (await world.account()).order(orderFor(world, host))
  const [, intermediate = ''] = certificate.split(/(?=-----BEGIN)/)
  const root = leafOf(await world.ca.issuingRoot())
  expect(leafOf(certificate).checkIssued(leafOf(intermediate))).toBe(true)
  expect(leafOf(intermediate).checkIssued(root)).toBe(true)
})

test('of several chains the default one is taken, alone', async () => {
  await using world = await acmeWorld({ hosts: [host], alternateRoots: 2 })
  const { certificate } = await (await world.account()).order(orderFor(world, host))
  const [, intermediate = ''] = certificate.split(/(?=-----BEGIN)/)
  expect(certificatesIn(certificate)).toBe(2)
  expect(leafOf(intermediate).checkIssued(leafOf(await world.ca.issuingRoot()))).toBe(true)
})

test('each certificate has a new ECDSA P-256 key', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  const account = await world.account()
  const keys = [await account.order(orderFor(world, host)), await account.order(orderFor(world, host))].map(
    (p) => p.key,
  )
  expect(keys[0]).not.toBe(keys[1])
  expect(keys.map((key) => createPrivateKey(key).asymmetricKeyDetails?.namedCurve)).toEqual([
    'prime256v1',
    'prime256v1',
  ])
})

test('what was shown for HTTP-01 is taken away after the order', async () => {
  await using world = await acmeWorld({ hosts: [host] })
  await (await world.account()).order(orderFor(world, host))
  expect(world.asked).not.toEqual([])
  expect(world.shown()).toBe(0)
})

test('a host of 252 characters gets its certificate', async () => {
  const label = 'a'.repeat(61)
  const long = `${label}.${label}.${label}.${'b'.repeat(61)}.shop`
  expect(long).toHaveLength(252)
  await using world = await acmeWorld({ hosts: [long] })
  const { certificate } = await (await world.account()).order(orderFor(world, long))
  expect(leafOf(certificate).subjectAltName).toBe(`DNS:${long}`)
})

test('a host that was validated before need not be so again', async () => {
  await using world = await acmeWorld({ hosts: [host], authorizationReusePercent: 100 })
  const account = await world.account()
  await account.order(orderFor(world, host))
  const again = await account.order(orderFor(world, host, { answers: { http01: null, txtRecords: null } }))
  expect(certificatesIn(again.certificate)).toBe(2)
})

test('with 20 % of nonces refused all of 20 certificates are issued', async () => {
  const hosts = Array.from({ length: 20 }, (_, number) => `shop-${number}.some-customer.com`)
  await using world = await acmeWorld({ hosts, badNoncePercent: 20 })
  const account = await world.account()
  const pairs = await Promise.all(hosts.map((name) => account.order(orderFor(world, name))))
  expect(pairs.map(({ certificate }) => leafOf(certificate).subjectAltName)).toEqual(hosts.map((name) => `DNS:${name}`))
})

test('with 30 % of nonces refused a certificate is issued', async () => {
  await using world = await acmeWorld({ hosts: [host], badNoncePercent: 30 })
  expect(certificatesIn((await (await world.account()).order(orderFor(world, host))).certificate)).toBe(2)
})

test('where every nonce is refused the client gives up', async () => {
  await using world = await acmeWorld({ badNoncePercent: 100 })
  expect(await problemIn(world.account())).toMatchObject({
    kind: 'badNonce',
    type: 'urn:ietf:params:acme:error:badNonce',
    status: 400,
  })
})

test('50 certificates are issued side by side, each for its own host', async () => {
  const hosts = Array.from({ length: 50 }, (_, number) => `shop-${number}.some-customer.com`)
  await using world = await acmeWorld({ hosts, badNoncePercent: 5 })
  const account = await world.account()
  const pairs = await Promise.all(hosts.map((name) => account.order(orderFor(world, name))))
  const faults = pairs
    .map((pair, number) => checkedPair(hosts[number] ?? '', pair, Date.now()))
    .filter((v) => 'fault' in v)
  expect(faults).toEqual([])
  expect(new Set(pairs.map(({ key }) => key)).size).toBe(50)
  expect(world.shown()).toBe(0)
})

test('an order that is aborted ends with the reason, and shows nothing any more', async () => {
  await using world = await acmeWorld({ hosts: [host], validationSecondsMax: 60 })
  const account = await world.account()
  const stopping = new AbortController()
  const { http01 } = world.answers
  const answers = {
    txtRecords: null,
    http01: async (answer: Parameters<NonNullable<typeof http01>>[0]) => {
      const shown = await http01?.(answer)
      setImmediate(() => stopping.abort(new Error('the service stops')))
      return shown ?? { [Symbol.asyncDispose]: async () => {} }
    },
  }
  await expect(account.order(orderFor(world, host, { answers }), stopping.signal)).rejects.toThrow('the service stops')
  expect(world.shown()).toBe(0)
})
