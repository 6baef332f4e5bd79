import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nameProof } from '../../../src/https/name/name-proof.ts'
import { observedName, observeName } from '../../../src/https/name/observe-name.ts'
import { newSecret } from '../../../src/lib/sign.ts'
import { type DnsNames, DnsServer } from '../../harness/dns-server.ts'
import { needPort80, ownAddress } from '../../harness/loopback.ts'

const host = 'go.acme.com'
const secret = newSecret()

const [ours, theirs, moved, mute, strange, copy, nobody] = Array.from({ length: 7 }, ownAddress) as [
  string,
  ...string[],
] as [string, string, string, string, string, string, string]
const asked: { host: string | null; path: string }[] = []
const stopping: { stop: (force?: boolean) => unknown }[] = []

const answering = (hostname: string, answer: (request: Request) => Response) =>
  stopping.push(Bun.serve({ hostname, port: 80, fetch: answer }))

const proving = (key: Uint8Array) => (request: Request) => {
  const { pathname } = new URL(request.url)
  const name = request.headers.get('host') ?? ''
  asked.push({ host: name, path: pathname })
  return new Response(nameProof(key, name, pathname.split('/').at(-1) ?? ''))
}

beforeAll(() => {
  needPort80()
  answering(ours, proving(secret))
  // Another box that was restored from the same backup: it has a key of its own.
  answering(copy, proving(newSecret()))
  answering(theirs, () => new Response('It works!'))
  answering(moved, () => new Response(null, { status: 301, headers: { location: `http://${ours}/` } }))
  const silent = { data() {}, open() {} }
  stopping.push(Bun.listen({ hostname: mute, port: 80, socket: silent }))
  const ssh = {
    data(socket: Bun.Socket) {
      socket.end('SSH-2.0-OpenSSH_9.2\r\n')
    },
  }
  stopping.push(Bun.listen({ hostname: strange, port: 80, socket: ssh }))
})
afterAll(() => {
  for (const server of stopping) server.stop(true)
})

async function look(names: DnsNames) {
  await using server = await DnsServer.with(names)
  return await observeName(host, { resolvers: [{ host: '127.0.0.1', port: server.port }], secret })
}

const answersAt = async (...a: string[]) => (await look({ [host]: a })).reached.map(({ answer }) => answer)

describe('port 80 of an address', () => {
  test('is ours where it answers with our key', async () => {
    expect(await answersAt(ours)).toEqual(['ours'])
    expect(asked.at(-1)?.host).toBe(host)
    expect(asked.at(-1)?.path).toMatch(/^\/\.well-known\/capture\/[\w-]{22}$/)
  })

  test("is another server's where it answers anything else, redirects, or speaks no HTTP", async () => {
    expect(await answersAt(theirs, copy, moved, strange)).toEqual(['other', 'other', 'other', 'other'])
  })

  test('is nobody’s where connections are refused', async () => {
    expect(await answersAt(nobody)).toEqual(['none'])
  })

  test('is unknown where nobody answers in time', async () => {
    expect(await answersAt(mute)).toEqual(['unknown'])
  })

  test('is asked without a proxy of the environment', async () => {
    const before = Bun.env.http_proxy
    Bun.env.http_proxy = `http://${theirs}:80`
    try {
      expect(await answersAt(ours)).toEqual(['ours'])
    } finally {
      if (before === undefined) delete Bun.env.http_proxy
      else Bun.env.http_proxy = before
    }
  })

  test('is told of in one order, however the DNS server turns its records', async () => {
    const seen = async (...a: string[]) => (await look({ [host]: a })).reached.map(({ address }) => address)
    expect(await seen(theirs, ours)).toEqual(await seen(ours, theirs))
  })

  test('is asked at six addresses at most', async () => {
    expect(await answersAt(...Array.from({ length: 20 }, () => nobody))).toHaveLength(6)
  })
})

describe('what is told of a name', () => {
  test('has addresses, alias, CAA and the worst that answered', async () => {
    const sight = await look({
      [host]: { cname: 'box.acme.net', caa: [] },
      'box.acme.net': { a: [ours, theirs], aaaa: ['::1'] },
      'acme.com': { caa: [[0, 'issue', 'letsencrypt.org']] },
    })
    expect(observedName(sight, [])).toEqual({
      a: [ours, theirs],
      aaaa: ['::1'],
      cname: 'box.acme.net',
      caa: ['0 issue "letsencrypt.org"'],
      http: 'other',
    })
  })

  test('is nobody where there is no address, and unknown where the DNS fails', async () => {
    const nothing = { a: [], aaaa: [], cname: null, caa: [] }
    expect(observedName(await look({}), [])).toEqual({ ...nothing, http: 'none' })
    expect(observedName(await look({ [host]: 'failure' }), [])).toEqual({ ...nothing, http: 'unknown' })
  })

  test('a refused request to an address that the configuration names is unknown', async () => {
    const sight = await look({ [host]: [nobody] })
    expect(observedName(sight, []).http).toBe('none')
    expect(observedName(sight, [nobody]).http).toBe('unknown')
  })
})

describe('the DNS', () => {
  test('tells a name without records from one that is not there, and both from a failure', async () => {
    expect((await look({ [host]: { txt: ['x'] } })).a).toEqual({ kind: 'no-data', alias: null })
    expect((await look({})).a).toEqual({ kind: 'no-name', alias: null })
    expect((await look({ [host]: 'failure' })).a).toEqual({ kind: 'failed', code: 'SERVFAIL' })
  })

  test('that is silent costs no more than a bounded time', async () => {
    const sight = await look({ [host]: 'silence' })
    expect(sight.a).toEqual({ kind: 'failed', code: 'timeout' })
    expect(sight.caa).toEqual({ failed: 'timeout', at: host })
  })

  test('an answer of the first server is enough, and a second one is asked where it has none', async () => {
    await using broken = await DnsServer.with({ [host]: 'failure' })
    await using sound = await DnsServer.with({ [host]: [ours] })
    const resolvers = [broken, sound].map(({ port }) => ({ host: '127.0.0.1', port }))
    expect((await observeName(host, { resolvers, secret })).reached).toEqual([
      { address: ours, answer: 'ours', status: null },
    ])
  })

  test('records of dns-persist-01 are looked up beside the name', async () => {
    const sight = await look({ [`_validation-persist.${host}`]: { txt: ['ca.example; accounturi=https://ca/1'] } })
    expect(sight.persist).toEqual(['ca.example; accounturi=https://ca/1'])
  })
})
