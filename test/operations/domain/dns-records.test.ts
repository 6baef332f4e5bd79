import { expect, test } from 'bun:test'
import { dnsText } from '../../../src/cli/apply/present.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { dnsRecords } from '../../../src/operations/domain/dns-records.ts'

/** A box with these public addresses and this preview host. */
function boxWith(addresses: string[], previewHost = 'preview.agency.com') {
  const { config } = loadConfig({ env: {}, cwd: '/nowhere', systemFile: '/nowhere/capture.toml' })
  return {
    config: {
      ...config,
      server: { ...config.server, previewHost },
      https: { ...config.https, addresses },
    },
  }
}
const both = boxWith(['198.51.100.4', '2001:db8::4'])

test('a domain of its own gets the addresses of the box, a name below one may be an alias instead', () => {
  const records = [
    { type: 'A' as const, value: '198.51.100.4' },
    { type: 'AAAA' as const, value: '2001:db8::4' },
  ]
  expect(dnsRecords(['acme.com', 'go.acme.co.uk', 'acme.co.uk'], both)).toEqual([
    { host: 'acme.com', records, cname: null },
    { host: 'go.acme.co.uk', records, cname: 'preview.agency.com' },
    { host: 'acme.co.uk', records, cname: null },
  ])
})

test('the preview host is no alias of itself', () => {
  expect(dnsRecords(['preview.agency.com'], both)).toMatchObject([{ cname: null }])
})

test('a preview host that is in nobody’s DNS is no target', () => {
  expect(dnsRecords(['go.acme.com'], boxWith(['198.51.100.4'], 'preview.localhost'))).toMatchObject([{ cname: null }])
})

test('a box with IPv6 alone has no A record to set', () => {
  expect(dnsRecords(['go.acme.com'], boxWith(['2001:db8::4']))[0]?.records).toEqual([
    { type: 'AAAA', value: '2001:db8::4' },
  ])
})

test('names of this machine and addresses need no record; those of an own DNS server do', () => {
  expect(dnsRecords(['shop.localhost', '192.0.2.1', 'go.acme.test'], both).map(({ host }) => host)).toEqual([
    'go.acme.test',
  ])
})

test('each record is one line with the host, its type and its value', () => {
  const lines = dnsText(dnsRecords(['go.acme.com', 'acme.com'], both)).split('\n')
  expect(lines).toContain('  go.acme.com  A      198.51.100.4')
  expect(lines).toContain('  go.acme.com  AAAA   2001:db8::4')
  expect(lines).toContain('  go.acme.com  CNAME  preview.agency.com  (instead)')
  expect(lines).toContain('  acme.com     A      198.51.100.4')
})

test('a box that does not know its address says how to find out', () => {
  const text = dnsText([{ host: 'acme.com', records: [{ type: 'A', value: null }], cname: null }])
  expect(text).toContain('acme.com  A      (the public address of this box)')
  expect(text).toContain('[https] addresses')
})

test('of many domains ten are shown', () => {
  const hosts = Array.from({ length: 30 }, (_, number) => `go${number}.acme.com`)
  expect(dnsText(dnsRecords(hosts, both))).toContain('… and the same for 20 more domains')
})
