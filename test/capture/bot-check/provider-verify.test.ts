import { describe, expect, test } from 'bun:test'
import addresses from '../../../src/capture/bot-check/provider-addresses.json' with { type: 'json' }
import { type Outbound, type Verification, verifyWithProvider } from '../../../src/capture/bot-check/provider-verify.ts'
import { ipNetwork } from '../../../src/lib/ip.ts'
import type { Guard } from '../../../src/outbound/guard.ts'
import { deadAddress, rawServer, verificationServer } from './verification-server.ts'

const verification = (overrides: Partial<Verification> = {}): Verification => ({
  provider: 'turnstile',
  verifyUrl: null,
  verifiesHere: true,
  secret: 'the secret',
  token: 'the token',
  remoteIp: null,
  ...overrides,
})

const publicOnly: Guard = { allowed: [], isOwn: () => false }
const resolvingTo =
  (...addresses: string[]) =>
  async () =>
    addresses
const outbound: Outbound = { guard: publicOnly, lookup: resolvingTo('127.0.0.1') }

const verify = (asked: Verification, signal: AbortSignal, through = outbound) =>
  verifyWithProvider(asked, signal, through)

const patient = (): AbortSignal => AbortSignal.timeout(200_000)
const hasty = (): AbortSignal => AbortSignal.timeout(100)

describe('verification with a provider', () => {
  test('asks as siteverify is asked: posted, form-encoded, with the secret and the token', async () => {
    await using server = verificationServer(() => Response.json({ success: true }))
    expect(await verify(verification({ verifyUrl: server.url }), patient())).toBe('verified')
    expect(server.asked).toEqual([
      {
        method: 'POST',
        contentType: expect.stringMatching(/^application\/x-www-form-urlencoded/),
        fields: { secret: 'the secret', response: 'the token' },
      },
    ])
  })

  test('tells the visitor’s address where it is kept', async () => {
    await using server = verificationServer(() => Response.json({ success: true }))
    await verify(verification({ verifyUrl: server.url, remoteIp: '203.0.113.9' }), patient())
    expect(server.asked[0]?.fields).toMatchObject({ remoteip: '203.0.113.9' })
  })

  test('a token cannot add fields to the question', async () => {
    await using server = verificationServer(() => Response.json({ success: false }))
    const token = 'x&secret=mine&remoteip=1.2.3.4\r\n'
    await verify(verification({ verifyUrl: server.url, token }), patient())
    expect(server.asked[0]?.fields).toEqual({ secret: 'the secret', response: token })
  })

  test('every provider has its own address over HTTPS', () => {
    const hosts = Object.entries(addresses).map(([provider, address]) => [
      provider,
      new URL(address).host,
      new URL(address).protocol,
    ])
    expect(hosts).toEqual([
      ['turnstile', 'challenges.cloudflare.com', 'https:'],
      ['hcaptcha', 'api.hcaptcha.com', 'https:'],
      ['recaptcha', 'www.google.com', 'https:'],
    ])
  })

  for (const success of ['true', 1, 'false', null, {}, [true], 'yes', false]) {
    test(`"success": ${JSON.stringify(success)} is no yes`, async () => {
      await using server = verificationServer(() => Response.json({ success }))
      expect(await verify(verification({ verifyUrl: server.url }), patient())).toBe('not_verified')
    })
  }

  for (const code of ['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch']) {
    test(`${code} is the secret’s fault, not the visitor’s`, async () => {
      await using server = verificationServer(() => Response.json({ success: false, 'error-codes': [code] }))
      expect(await verify(verification({ verifyUrl: server.url }), patient())).toBe('secret_refused')
    })
  }

  test('a token that expired is the visitor’s', async () => {
    await using server = verificationServer(() =>
      Response.json({ success: false, 'error-codes': ['timeout-or-duplicate'] }),
    )
    expect(await verify(verification({ verifyUrl: server.url }), patient())).toBe('not_verified')
  })

  const yes = JSON.stringify({ success: true })
  const misbehaviours: Record<string, () => Response> = {
    'a 500 that says yes': () => new Response(yes, { status: 500 }),
    'a 201 that says yes': () => new Response(yes, { status: 201 }),
    'no body': () => new Response(null),
    'a 204': () => new Response(null, { status: 204 }),
    'an HTML page': () => new Response('<h1>Sorry</h1>'),
    'half of the JSON': () => new Response(yes.slice(0, -1)),
    'two answers': () => new Response(yes + yes),
    'no object': () => Response.json(true),
    null: () => Response.json(null),
    'an array': () => Response.json([{ success: true }]),
    'an object without success': () => Response.json({ ok: true }),
    'bytes that are no UTF-8': () =>
      new Response(new Uint8Array([...Buffer.from('{"success":true,"a":"'), 0xff, 0x22, 0x7d])),
    'a body that is too long': () => new Response(yes.padEnd(20_000, ' ')),
    'a compressed body that is too long': () =>
      new Response(Bun.gzipSync(Buffer.from(yes.padEnd(1_000_000, ' '))), { headers: { 'content-encoding': 'gzip' } }),
    'a compressed body': () => new Response(Bun.gzipSync(yes), { headers: { 'content-encoding': 'gzip' } }),
  }
  for (const [what, answer] of Object.entries(misbehaviours)) {
    test(`${what} is no answer`, async () => {
      await using server = verificationServer(answer)
      expect(await verify(verification({ verifyUrl: server.url }), patient())).toBe('no_answer')
    })
  }

  for (const status of [301, 302, 303, 307, 308]) {
    test(`a ${status} is not followed: where it leads is told nothing`, async () => {
      await using trap = verificationServer(() => Response.json({ success: true }))
      await using server = verificationServer(() => new Response(null, { status, headers: { location: trap.url } }))
      expect(await verify(verification({ verifyUrl: server.url }), patient())).toBe('no_answer')
      expect(trap.asked).toEqual([])
    })
  }

  test('a body without end is cut off', async () => {
    await using server = verificationServer(
      () =>
        new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(4096).fill(32)) })),
    )
    expect(await verify(verification({ verifyUrl: server.url }), patient())).toBe('no_answer')
  })

  test('a connection that is refused is no answer', async () => {
    expect(await verify(verification({ verifyUrl: deadAddress() }), patient())).toBe('no_answer')
  })

  test('an address that is none is no answer', async () => {
    expect(await verify(verification({ verifyUrl: 'http://' }), patient())).toBe('no_answer')
  })

  const slow: Record<string, string> = {
    'nothing at all': '',
    'half a header': 'HTTP/1.1 200 OK\r\nContent-',
    'a header and half a body': `HTTP/1.1 200 OK\r\nContent-Length: ${yes.length + 1}\r\n\r\n${yes}`,
    'a whole answer that does not end': `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${yes.length.toString(16)}\r\n${yes}\r\n`,
  }
  for (const [what, answer] of Object.entries(slow)) {
    test(`a provider that sends ${what} is waited for no longer than allowed`, async () => {
      await using server = await rawServer(answer)
      expect(await verify(verification({ verifyUrl: server.url }), hasty())).toBe('no_answer')
    })
  }

  for (const [what, answer] of Object.entries({
    garbage: '\u0000\u0001garbage\r\n\r\n',
    'another protocol': 'SSH-2.0-x\r\n',
  })) {
    test(`${what} in place of HTTP is no answer`, async () => {
      await using server = await rawServer(answer)
      expect(await verify(verification({ verifyUrl: server.url }), AbortSignal.timeout(1000))).toBe('no_answer')
    })
  }
})

describe('an address that the account chose', () => {
  test.each(['https://169.254.169.254/', 'https://10.0.0.1/', 'https://[::ffff:127.0.0.1]/', 'https://[fd00::1]/'])(
    'is asked nothing within networks: %s',
    async (verifyUrl) => {
      const asked = verification({ verifyUrl, verifiesHere: false })
      expect(await verify(asked, patient())).toBe('forbidden')
    },
  )

  test('on this machine is asked only if a command on the box has named it', async () => {
    await using server = verificationServer(() => Response.json({ success: true }))
    const asked = verification({ verifyUrl: server.url })
    expect(await verify({ ...asked, verifiesHere: false }, patient())).toBe('forbidden')
    expect(server.asked).toEqual([])
    expect(await verify(asked, patient())).toBe('verified')
  })

  test('on this machine is asked where the operator allows its network', async () => {
    await using server = verificationServer(() => Response.json({ success: true }))
    const asked = verification({ verifyUrl: server.url, verifiesHere: false })
    const guard = { ...publicOnly, allowed: [ipNetwork('127.0.0.0/8', 'delivery.allow_private')] }
    expect(await verify(asked, patient(), { ...outbound, guard })).toBe('verified')
  })

  test('is looked up for each question, and asked nothing once one of its addresses leads within', async () => {
    await using server = verificationServer(() => Response.json({ success: true }))
    const verifyUrl = `https://verify.example:${new URL(server.url).port}/`
    const asked = verification({ verifyUrl, verifiesHere: false })
    const lookups = [['203.0.113.1', '127.0.0.1'], ['127.0.0.1'], ['169.254.169.254']]
    for (const addresses of lookups)
      expect(await verify(asked, patient(), { guard: publicOnly, lookup: resolvingTo(...addresses) })).toBe('forbidden')
    expect(server.asked).toEqual([])
  })

  test('is connected to as it was resolved, whatever the name leads to by then', async () => {
    await using server = verificationServer(() => Response.json({ success: true }))
    const { port } = new URL(server.url)
    const asked = verification({ verifyUrl: `http://name.invalid:${port}/` })
    expect(await verify(asked, patient())).toBe('verified')
  })

  test('whose name is never found is no answer, in time', async () => {
    const asked = verification({ verifyUrl: 'https://verify.example/' })
    const never = () => new Promise<string[]>(() => {})
    expect(await verify(asked, hasty(), { ...outbound, lookup: never })).toBe('no_answer')
  })
})
