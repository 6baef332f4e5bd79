// What `doctor` observes of the world: a DNS server, plain and TLS servers on loopback stand for it.

import { describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { runDoctor } from '../../src/cli/doctor/doctor-run.ts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { aSite } from '../harness/a-site.ts'
import { type DnsAnswer, DnsServer } from '../harness/dns-server.ts'
import { waitMsMax } from '../harness/eventually.ts'
import { ownPort } from '../harness/loopback.ts'
import { selfSigned } from '../harness/self-signed.ts'
import { ADataFolder } from './a-data-folder.ts'
import { fakeWorld } from './fake-world.ts'

const { host } = selfSigned

interface Look {
  toml: string
  names: Record<string, DnsAnswer>
  domains?: string[]
  strict?: boolean
  /** Some server is silent: waits only as long as the command does. */
  isSilent?: boolean
}

interface Checked {
  checks: { check: string; status: string; found: string; advice: string | null }[]
}

async function look({ toml, names, domains = [host], strict = false, isSilent = false }: Look) {
  using folder = new ADataFolder(`[server]\n${toml}`)
  await folder.apply(aSite({ domains }))
  await using dns = await DnsServer.with(names)
  const world = fakeWorld({ cwd: folder.dir })
  const loaded = loadConfig({ env: {}, cwd: folder.dir })
  // The box was made by a process with the machine's own clock.
  const session = { ...world, clock: systemClock, loadConfig: async () => loaded }
  const { json, exitStatus: exit } = await runDoctor({ deep: false, strict, quiet: false }, session, {
    dnsServers: [dns.address],
    ...(isSilent ? {} : { lookMsMax: waitMsMax }),
  })
  const { checks } = json as Checked
  const found = checks.filter(({ check }) => check === 'domain')
  return { exit, asked: dns.asked, unwell: found.filter(({ status }) => status !== 'ok'), found }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

describe('doctor', () => {
  test('asks nobody about names that the world does not hold', async () => {
    const domains = [
      'go.acme.test',
      'acme.localhost',
      'nas.local',
      'box.internal',
      'a.invalid',
      'localhost',
      '127.0.0.1',
    ]
    const { exit, asked, unwell, found } = await look({ toml: '', names: {}, domains, strict: true })
    expect({ exit, asked, unwell }).toEqual({ exit: 0, asked: [], unwell: [] })
    expect(found).toMatchObject([{ found: expect.stringContaining('preview.localhost') }])
  })

  test('warns of a domain without an address, and fails only with --strict', async () => {
    const { exit, unwell } = await look({ toml: '', names: { [host]: 'none' } })
    expect({ exit, unwell }).toMatchObject({
      exit: 0,
      unwell: [
        {
          status: 'warning',
          found: `${host} (The acme studio) has no address in the DNS.`,
          advice: expect.stringContaining('A record'),
        },
      ],
    })
    expect(await look({ toml: '', names: { [host]: 'none' }, strict: true })).toMatchObject({ exit: 1 })
  })

  test('looks at the preview host too', async () => {
    const { unwell } = await look({
      toml: 'preview_host = "preview.acme-studio.dev"\n',
      names: {},
      domains: ['go.acme.test'],
    })
    expect(unwell).toMatchObject([{ found: 'preview.acme-studio.dev (the preview host) has no address in the DNS.' }])
  })

  test('tells a name that could not be looked up from one that has no address', async () => {
    const { unwell } = await look({ toml: '', names: { [host]: 'failure' } })
    expect(unwell).toMatchObject([{ found: `${host} (The acme studio) could not be looked up (ESERVFAIL).` }])
  })

  test('says once of many names that the DNS is silent', async () => {
    const count = 100
    const domains = Array.from({ length: count }, (_, index) => `go${index}.acme-studio.dev`)
    const { unwell, asked } = await look({
      toml: '',
      names: Object.fromEntries(domains.map((name) => [name, 'silence'])),
      domains,
      isSilent: true,
    })
    expect(new Set(asked).size).toBe(count)
    expect(unwell).toMatchObject([{ found: expect.stringContaining(`None of ${count} names could be looked up`) }])
  })

  test('names the port and the address on which nothing answers', async () => {
    const port = ownPort()
    const { unwell } = await look({ toml: `public_url = "https:${port}"\n`, names: { [host]: ['127.0.0.1'] } })
    expect(unwell).toMatchObject([
      {
        found: `${host} (The acme studio): nothing answers on port ${port} of 127.0.0.1 (ECONNREFUSED).`,
        advice: expect.stringContaining('TLS proxy'),
      },
    ])
  })

  test('is content with plain HTTP that answers', async () => {
    const server = createServer((socket) => socket.on('error', () => {}))
    const port = await listening(server)
    const { unwell, found } = await look({ toml: `listen = "127.0.0.1:${port}"\n`, names: { [host]: ['127.0.0.1'] } })
    server.close()
    expect(unwell).toEqual([])
    expect(found).toContainEqual(
      expect.objectContaining({
        found: expect.stringContaining(`${host} (The acme studio) is 127.0.0.1; port ${port} answers`),
      }),
    )
  })

  test('says of what answers in place of TLS that it does not speak it', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    const port = await listening(server)
    const { unwell } = await look({ toml: `public_url = "https:${port}"\n`, names: { [host]: ['127.0.0.1'] } })
    server.close()
    expect(unwell).toMatchObject([{ found: expect.stringContaining(`port ${port} speaks no TLS`) }])
  })

  test.each([
    [host, 'is not trusted ('],
    ['www.acme-studio.dev', 'does not name www.acme-studio.dev.'],
  ])('says who issued the certificate of %s, until when, and that it %s', async (domain, fault) => {
    const server = createTlsServer(selfSigned, (socket) => socket.on('error', () => {}).end())
    const port = await listening(server)
    const { unwell } = await look({
      toml: `public_url = "https:${port}"\n`,
      names: { [domain]: ['127.0.0.1'] },
      domains: [domain],
    })
    server.close()
    expect(unwell.map(({ status }) => status)).toEqual(['warning'])
    expect(unwell[0]?.found).toContain(fault)
    expect(unwell[0]?.found).toMatch(/certificate of Test Issuer, Test Root, valid until 2126-\d\d-\d\d /)
  })
})
