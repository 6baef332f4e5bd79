import { expect, test } from 'bun:test'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { startPebble } from '../../harness/pebble.ts'
import { pebbleVersion } from '../../harness/pebble-programs.ts'

// What the other tests of this folder stand on.

test('pebble answers at its directory, whose certificate is of the root in its file', async () => {
  await using ca = await startPebble({ caaIdentities: ['ca.test'] })
  const answer = await fetch(ca.directoryUrl, { tls: { ca: await readFile(ca.caFile, 'utf8') } })
  expect(await answer.json()).toMatchObject({ meta: { caaIdentities: ['ca.test'] } })
})

test('pebble that was stopped is not to be reached until it is started', async () => {
  await using ca = await startPebble()
  await ca.stop()
  await expect(fetch(ca.directoryUrl, { tls: { ca: ca.ca } })).rejects.toThrow()
  await ca.start()
  expect((await fetch(ca.directoryUrl, { tls: { ca: ca.ca } })).status).toBe(200)
})

test('its DNS server has the records that were set, and no others', async () => {
  await using ca = await startPebble()
  await ca.dns.setA('shop.some-customer.com', '127.0.0.9', '127.0.0.10')
  await ca.dns.setA('shop.some-customer.com', ca.address)
  await ca.dns.setTxt('_validation-persist.shop.some-customer.com', 'one', 'two')
  await ca.dns.setCaa('some-customer.com', { tag: 'issue', value: 'ca.test' })
  const resolver = new Resolver()
  resolver.setServers([ca.dns.server])
  expect(await resolver.resolve4('shop.some-customer.com')).toEqual([ca.address])
  expect(await resolver.resolveTxt('_validation-persist.shop.some-customer.com')).toEqual([['one'], ['two']])
  expect(await resolver.resolveCaa('some-customer.com')).toMatchObject([{ issue: 'ca.test' }])
  await expect(resolver.resolve4('other.some-customer.com')).rejects.toThrow()
})

test('install.sh installs the version that tests use', async () => {
  const script = await readFile(`${import.meta.dir}/../../../install.sh`, 'utf8')
  expect(/^pebble_version=(.*)$/m.exec(script)?.[1]).toBe(pebbleVersion)
})
