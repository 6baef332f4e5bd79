import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite, writeSite } from '../harness/a-site.ts'
import { makeCertificate } from '../harness/certificates.ts'
import { type DnsNames, DnsServer } from '../harness/dns-server.ts'
import { buildMsMax } from '../harness/executable.ts'
import { needPort80, ownAddress } from '../harness/loopback.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { runProgram } from './harness/program.ts'
import { putCertificate, secureBox } from './harness/secure-box.ts'

// `domain list` and `domain check` (docs/domains.md), with DNS and port 80 of this machine's own addresses.

const host = 'shop.acme.com'
const here = ownAddress()
const theirs = ownAddress()
const nobody = ownAddress()

let dns: DnsServer
let box: BinaryBox
let other: Bun.Server<undefined>

beforeAll(async () => {
  needPort80()
  dns = await DnsServer.with({})
  other = Bun.serve({ hostname: theirs, port: 80, fetch: () => new Response('It works!') })
  const https = { http_listen: `${here}:80`, resolvers: [dns.address] }
  box = await secureBox([host], { https, server: { preview_host: 'preview.agency.com' } })
  await box.apply(aSite({ domains: [host, 'www.acme.com', 'box.localhost'], files: { 'pages/launch.html': 'Hello' } }))
  await box.apply(aSite({ account: 'beta', domains: ['beta.com'] }))
  await box.serve()
}, buildMsMax)

afterAll(async () => {
  await box?.[Symbol.asyncDispose]()
  await dns?.[Symbol.asyncDispose]()
  await other?.stop(true)
})

/** Another configuration of the same box: mode `auto`, whose service has not run yet. */
function automatic(keys: Record<string, unknown> = {}): string {
  const file = join(box.dir, `auto-${Bun.hash(JSON.stringify(keys))}.toml`)
  const https = { mode: 'auto', resolvers: [dns.address], ...keys }
  const server = { preview_host: 'preview.agency.com' }
  writeFileSync(file, Bun.TOML.stringify({ data_dir: box.dataDir, server, https }))
  return file
}

const runAutomatic = (argv: string[], keys: Record<string, unknown> = {}) =>
  runProgram([...argv, '--config', automatic(keys)], { executable: box.executable, cwd: box.dir })

/** What `domain check` says of the host, the world being so. */
async function checked(names: DnsNames, keys: Record<string, unknown> = {}) {
  for (const name of Object.keys(dns.names)) delete dns.names[name]
  Object.assign(dns.names, names)
  const { status, stdout, stderr } = await runAutomatic(['domain', 'check', host, '--json'], keys)
  const found = JSON.parse(stdout)
  expect({ status, stderr }).toEqual({ status: found.fault === null ? 0 : 1, stderr: '' })
  return found
}

describe('domain check', () => {
  test('finds that everything is in place where port 80 of the name is this box', async () => {
    expect(await checked({ [host]: [here] })).toEqual({
      host,
      account: 'acme',
      use: 'site',
      state: 'waiting',
      reason: 'Everything is ready: the service orders the certificate with its next attempt.',
      observed: { a: [here], aaaa: [], cname: null, caa: [], http: 'ours' },
      certificate: null,
      nextTryAt: null,
      fault: null,
    })
  })

  test.each<[string, DnsNames, Record<string, unknown>, string, object]>([
    ['no record', {}, {}, 'is not in the DNS', { a: [], http: 'none' }],
    [
      'DNS that leads elsewhere',
      { [host]: [theirs] },
      { addresses: [here] },
      `set its A record to ${here}`,
      { http: 'other' },
    ],
    [
      "a port 80 that is somebody else's",
      { [host]: [theirs] },
      { addresses: [theirs] },
      'another server answers on port 80',
      { http: 'other' },
    ],
    ['a port 80 that nobody has', { [host]: [nobody] }, {}, 'nothing answers on port 80', { http: 'none' }],
    [
      'an IPv6 address that leads elsewhere',
      { [host]: { a: [here], aaaa: ['::1'] } },
      {},
      'remove that AAAA record',
      { aaaa: ['::1'] },
    ],
    [
      'an alias',
      { [host]: { cname: 'shops.example.net' }, 'shops.example.net': [theirs] },
      { addresses: [here] },
      'is an alias (CNAME) of shops.example.net',
      { cname: 'shops.example.net', a: [theirs] },
    ],
    [
      'a CAA record of its own',
      { [host]: { a: [here], caa: [[0, 'issue', 'digicert.com']] } },
      {},
      'let only digicert.com issue certificates: add 0 issue "letsencrypt.org"',
      { caa: ['0 issue "digicert.com"'] },
    ],
    [
      "a parent's CAA record",
      { [host]: [here], 'acme.com': { caa: [[0, 'issue', ';']] } },
      {},
      'acme.com, which apply to shop.acme.com, let nobody',
      { http: 'ours' },
    ],
    [
      'a critical CAA record that nobody knows',
      { [host]: { a: [here], caa: [[128, 'tbs', 'x']] } },
      {},
      'remove 128 tbs "x"',
      { caa: ['128 tbs "x"'] },
    ],
    ['a DNS server that fails', { [host]: 'failure' }, {}, '(SERVFAIL)', { http: 'unknown' }],
    ['a DNS server that is silent', { [host]: 'silence' }, {}, 'No DNS server answers', { http: 'unknown' }],
  ])('waits for %s', async (_, names, keys, reason, observed) => {
    const found = await checked(names, keys)
    expect(found).toMatchObject({ state: 'waiting', certificate: null, observed })
    expect(found.reason).toContain(reason)
    expect(found.fault).toBe(found.reason)
  })

  describe.each([
    ['off', { state: 'off', reason: expect.stringContaining('mode is "off"') }],
    ['files', { state: 'active', reason: '' }],
  ])('in mode %s', (mode, stated) => {
    test.each<[string, DnsNames, string]>([
      ['no record', {}, `is not in the DNS: add an A record with ${here}`],
      ['DNS that leads elsewhere', { [host]: [theirs] }, `set its A record to ${here}`],
      ['an IPv6 address that leads elsewhere', { [host]: { a: [here], aaaa: ['::1'] } }, 'remove that AAAA record'],
    ])('finds fault with %s, and ends with 1', async (_, names, fault) => {
      const found = await checked(names, { mode, addresses: [here] })
      expect(found).toMatchObject({ ...stated, fault: expect.stringContaining(fault) })
    })

    test.each<[string, DnsNames]>([
      ['where the name leads here', { [host]: [here] }],
      ['of whom CAA records let issue', { [host]: { a: [here], caa: [[0, 'issue', ';']] } }],
    ])('finds no fault %s, and ends with 0', async (_, names) => {
      expect(await checked(names, { mode })).toMatchObject({ ...stated, fault: null, observed: { http: 'ours' } })
    })
  })

  test('finds a box behind a proxy that has visitors use https, by whatever certificate', async () => {
    const hostname = ownAddress()
    const moved = () => new Response(null, { status: 301, headers: { location: `https://${host}/` } })
    using _plain = Bun.serve({ hostname, port: 80, fetch: moved })
    const pass = (request: Request) => fetch(`http://${here}${new URL(request.url).pathname}`, { headers: { host } })
    const { certificate: cert, key } = makeCertificate('proxy.test')
    using _secure = Bun.serve({ hostname, port: 443, tls: { cert, key }, fetch: pass })
    expect(await checked({ [host]: [hostname] }, { mode: 'off' })).toMatchObject({ fault: null })
  })

  test('prints the fault for people too', async () => {
    Object.assign(dns.names, { [host]: [theirs] })
    const { status, stdout } = await runAutomatic(['domain', 'check', host], { mode: 'off', addresses: [here] })
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(`${host} leads to ${theirs}`) })
    expect(stdout).toContain('mode is "off"')
  })

  test.each<[string, DnsNames, Record<string, unknown>]>([
    ['CAA about wildcards alone', { [host]: { a: [here], caa: [[0, 'issuewild', ';']] } }, {}],
    ['a known address that cannot be asked from inside', { [host]: [nobody] }, { addresses: [nobody] }],
  ])('is not hindered by %s', async (_, names, keys) => {
    expect((await checked(names, keys)).reason).toStartWith('Everything is ready')
  })

  test('of an unknown name ends with 1 and says which was meant', async () => {
    const { status, stdout, stderr } = await box.run(['domain', 'check', 'shop.acme.co', '--json'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('Did you mean shop.acme.com?')
  })

  test('takes a name as people write it, and shows all that it found', async () => {
    Object.assign(dns.names, { [host]: [here] })
    const { stdout } = await box.run(['domain', 'check', 'Shop.Acme.COM.'])
    expect(stdout).toStartWith(`${host}  active\n`)
    expect(stdout).toMatch(/A +127\./)
    expect(stdout).toMatch(/Port 80 +this box answers/)
    expect(stdout).toMatch(/Certificate +shop\.acme\.com, valid until .*, serial [0-9a-f]+/)
  })

  test('asks the world nothing about a name that is not in it', async () => {
    dns.asked.length = 0
    const { stdout } = await runAutomatic(['domain', 'check', 'box.localhost', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ state: 'off', reason: expect.stringContaining('.localhost') })
    expect(dns.asked).toEqual([])
  })

  test('without a service says that one has to be started', async () => {
    await using idle = await BinaryBox.make({ https: { mode: 'auto', resolvers: [dns.address] } })
    await idle.apply(aSite({ domains: [host] }))
    Object.assign(dns.names, { [host]: [nobody] })
    const found = JSON.parse(await idle.done(['domain', 'check', host, '--json']))
    expect(found).toMatchObject({ state: 'waiting', fault: null, observed: { a: [nobody], http: 'none' } })
    expect(found.reason).toContain('start `capture serve`')
  })
})

describe('domain list', () => {
  const list = async (...argv: string[]) => JSON.parse(await box.done(['domain', 'list', '--json', ...argv]))
  const states = (rows: { host: string; state: string }[]) => rows.map(({ host, state }) => [host, state])

  test('has every connected name and the previews, by what the folder of certificates holds', async () => {
    putCertificate(box, 'www.acme.com', makeCertificate('elsewhere.com'))
    const rows = await list()
    expect(states(rows)).toEqual([
      ['beta.com', 'waiting'],
      ['box.localhost', 'off'],
      [host, 'active'],
      ['www.acme.com', 'failing'],
      ['preview.agency.com', 'waiting'],
    ])
    expect(rows.at(-1)).toMatchObject({ account: null, use: 'preview' })
    expect(rows[2]).toMatchObject({ account: 'acme', use: 'site', reason: '', nextTryAt: null })
    expect(rows[2].certificate).toEqual({
      issuer: host,
      notBefore: expect.stringMatching(/^\d{4}-.*Z$/),
      notAfter: expect.stringMatching(/^\d{4}-.*Z$/),
      renewAt: null,
      serial: expect.stringMatching(/^[0-9a-f]+$/),
    })
    expect(rows[3].reason).toContain('the certificate is for elsewhere.com')
  })

  test('of one account has its names alone, and an unknown account ends with 1', async () => {
    expect(states(await list('beta'))).toEqual([['beta.com', 'waiting']])
    expect((await box.run(['domain', 'list', 'gamma'])).status).toBe(1)
  })

  test('in mode auto, before a service has seen the names, says so', async () => {
    const rows = JSON.parse((await runAutomatic(['domain', 'list', '--json'])).stdout)
    expect(states(rows)).toEqual([
      ['beta.com', 'waiting'],
      ['box.localhost', 'off'],
      [host, 'waiting'],
      ['www.acme.com', 'waiting'],
      ['preview.agency.com', 'waiting'],
    ])
    expect(rows[0]).toMatchObject({ certificate: null, reason: expect.stringContaining('The name is new') })
  })

  test('in mode off says once that the proxy has the certificates', async () => {
    await using plain = await BinaryBox.make()
    await plain.apply(aSite({ domains: ['acme.com', 'www.acme.com'] }))
    const { stdout, stderr } = await plain.run(['domain', 'list'])
    expect(stdout.match(/mode is "off"/g)).toHaveLength(1)
    expect(stdout).toContain('acme.com, www.acme.com, preview.localhost: [https] mode is "off"')
    expect(stderr).toBe('')
  })
})

describe('apply', () => {
  const site = (domains: string[]) => {
    const folder = join(box.dir, 'sites/gamma')
    writeSite(folder, aSite({ account: 'gamma', domains }))
    return folder
  }
  const apply = (domains: string[], ...argv: string[]) =>
    runAutomatic(['apply', site(domains), '--accept', 'all', ...argv], { addresses: ['198.51.100.4'] })

  test('prints the DNS records of domains that are new, also when it changes nothing yet', async () => {
    for (const argv of [['--dry-run'], []]) {
      const { stdout } = await apply(['gamma.com', 'go.gamma.com'], ...argv)
      expect(stdout).toMatch(/gamma\.com +A +198\.51\.100\.4/)
      expect(stdout).toMatch(/go\.gamma\.com +CNAME +preview\.agency\.com/)
    }
    expect((await apply(['gamma.com', 'go.gamma.com'])).stdout).not.toContain('DNS records')
  })

  test('has them in --json, for the new ones alone', async () => {
    const { stdout } = await apply(['gamma.com', 'go.gamma.com', 'new.gamma.com'], '--json')
    const records = [{ type: 'A', value: '198.51.100.4' }]
    expect(JSON.parse(stdout).dns).toEqual([{ host: 'new.gamma.com', records, cname: 'preview.agency.com' }])
  })
})

describe('the proof that a name leads here', () => {
  const nonce = 'A'.repeat(22)
  const ask = (name: string, path = `/.well-known/capture/${nonce}`) =>
    fetch(`http://${here}${path}`, { headers: { host: name }, redirect: 'manual' })

  test('is given under every configured name, also where visitors are sent on to https', async () => {
    const answers = await Promise.all([host, 'www.acme.com', 'preview.agency.com'].map((name) => ask(name)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const proofs = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(proofs).size).toBe(3)
    for (const proof of proofs) expect(proof).toMatch(/^[\w-]{43}$/)
    expect((await ask(host, '/launch')).status).toBe(308)
  })

  test('sets no cookie, is kept nowhere, and counts as no view', async () => {
    const { headers } = await ask(host)
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
    const events = await box.done(['export', 'acme', 'events'])
    expect(events).not.toContain('.well-known')
  })

  test('is given under no other name', async () => {
    const answer = await ask('stranger.com')
    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe('')
  })

  test.each(['', 'short', 'A'.repeat(23), `${'A'.repeat(21)}!`, `${nonce}/x`])(
    'is not given for "%s", which is no nonce',
    async (text) => {
      expect((await ask(host, `/.well-known/capture/${text}`)).status).toBe(404)
    },
  )
})
