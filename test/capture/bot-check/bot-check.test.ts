import { describe, expect, test } from 'bun:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { AccountSettings, BotCheckSettings } from '../../../src/account/account.ts'
import { compileAccount } from '../../../src/account/live-account.ts'
import { RunningSplits } from '../../../src/account/split.ts'
import { altchaChallenge } from '../../../src/capture/bot-check/altcha.ts'
import { type BotCheck, type BotCheckParts, createBotCheck } from '../../../src/capture/bot-check/bot-check.ts'
import type { SiteRequest } from '../../../src/capture/site-request.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openLog } from '../../../src/lib/log.ts'
import { signingKeys } from '../../account/sample-signing-keys.ts'
import { HeldClock } from '../../contract/budget-store.ts'
import { challengesInMemory } from './challenges-in-memory.ts'
import { deadAddress, rawServer, verificationServer } from './verification-server.ts'

interface ACheck {
  check: BotCheck
  /** Every line logged. */
  logged: string[]
}

const outbound = { guard: { allowed: [], isOwn: () => false }, lookup: async () => ['127.0.0.1'] }

function aCheck(overrides: Partial<BotCheckParts> = {}): ACheck {
  const logged: string[] = []
  const log = openLog({ level: 'debug', format: 'json', write: (line) => logged.push(line), now: () => 0 })
  const parts = { challenges: challengesInMemory(), keys: () => signingKeys(), clock: systemClock, log, outbound }
  return { check: createBotCheck({ ...parts, ...overrides }), logged }
}

/** A request to the account `acme`, whose bot check is turnstile. */
function siteRequest(
  botCheck: Partial<BotCheckSettings> = {},
  settings: Partial<AccountSettings> & { id?: string } = {},
): SiteRequest {
  const { id = '0197f0a0-0000-7000-8000-00000000000a', ...others } = settings
  const account = compileAccount({
    id,
    handle: 'acme',
    settings: {
      name: 'Acme',
      domains: ['go.acme.test'],
      origins: [],
      robots: null,
      home: null,
      contact: null,
      mailFrom: null,
      noLeadsForHours: null,
      brand: { colour: null, background: null, credit: false },
      payloadBytesMax: 8192,
      timezone: 'UTC',
      language: null,
      storeIp: 'full',
      ignore: [],
      goals: [],
      funnels: [],
      splits: [],
      redirects: [],
      tracking: { enabled: true, autoPageview: true, requireOptIn: true, consentSignal: 'svcConsent' },
      botCheck: {
        provider: 'turnstile',
        sitekey: '',
        secret: 'shh',
        required: true,
        verifyUrl: null,
        verifiesHere: true,
        difficulty: 'normal',
        ...botCheck,
      },
      retention: { submissionsDays: null, eventsDays: null, refusedDays: 30 },
      ...others,
    },
    forms: [],
    destinations: [],
    trackingKeys: [],
  })
  const request = new Request('https://go.acme.test/_svc/f/contact1', { method: 'POST' })
  const ownOrigin = 'https://go.acme.test'
  return {
    request,
    account,
    splits: new RunningSplits([], new Map()),
    host: 'go.acme.test',
    ownOrigin,
    secure: true,
    clientAddress: '203.0.113.9',
    deviceId: null,
  }
}

describe('bot check', () => {
  for (const provider of ['turnstile', 'hcaptcha', 'recaptcha'] as const) {
    test(`asks ${provider} with the account’s secret`, async () => {
      await using server = verificationServer(() => Response.json({ success: true }))
      expect(await aCheck().check.verified(siteRequest({ provider, verifyUrl: server.url }), 'token')).toBe(true)
      expect(server.asked[0]?.fields).toEqual({ secret: 'shh', response: 'token', remoteip: '203.0.113.9' })
    })
  }

  for (const storeIp of ['truncated', 'none'] as const) {
    test(`tells no provider the visitor’s address where the account keeps it ${storeIp}`, async () => {
      await using server = verificationServer(() => Response.json({ success: true }))
      await aCheck().check.verified(siteRequest({ verifyUrl: server.url }, { storeIp }), 'token')
      expect(server.asked[0]?.fields).toEqual({ secret: 'shh', response: 'token' })
    })
  }

  for (const token of [undefined, null, '', 7, true, ['token'], { token: 'token' }, 'x'.repeat(8193)]) {
    test(`${JSON.stringify(token)?.slice(0, 20)} is no token, and no provider is asked`, async () => {
      await using server = verificationServer(() => Response.json({ success: true }))
      expect(await aCheck().check.verified(siteRequest({ verifyUrl: server.url }), token)).toBe(false)
      expect(server.asked).toEqual([])
    })
  }

  test('altcha is verified on the box, once', async () => {
    const { check } = aCheck()
    const asked = siteRequest({ provider: 'altcha' })
    const challenge = await altchaChallenge(
      { accountId: asked.account.id, keys: signingKeys(), now: Date.now() },
      { cost: 1, counterMin: 1, counterMax: 3 },
    )
    const payload = { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
    const token = Buffer.from(JSON.stringify(payload)).toString('base64')
    expect(await check.verified(asked, token)).toBe(true)
    expect(await check.verified(asked, token)).toBe(false)
  })

  test('a provider that says no is believed, without a word in the log', async () => {
    await using server = verificationServer(() => Response.json({ success: false }))
    const { check, logged } = aCheck()
    expect(await check.verified(siteRequest({ verifyUrl: server.url }), 'token')).toBe(false)
    expect(logged).toEqual([])
  })

  test('a provider that cannot be reached verifies nobody, and the log says so', async () => {
    const { check, logged } = aCheck()
    expect(await check.verified(siteRequest({ verifyUrl: deadAddress() }), 'token')).toBe(false)
    expect(logged.join()).toContain('does not answer')
  })

  test('a secret that the provider does not know is said in the log, with what to mend', async () => {
    await using server = verificationServer(() =>
      Response.json({ success: false, 'error-codes': ['invalid-input-secret'] }),
    )
    const { check, logged } = aCheck()
    expect(await check.verified(siteRequest({ verifyUrl: server.url }), 'token')).toBe(false)
    expect(logged.join()).toContain('[bot_check] in site.toml')
  })

  test('an outage is said once a minute, not once a visitor', async () => {
    const clock = new HeldClock()
    const { check, logged } = aCheck({ clock })
    const asked = siteRequest({ verifyUrl: deadAddress() })
    for (let i = 0; i < 3; i++) await check.verified(asked, 'token')
    expect(logged).toHaveLength(1)
    clock.advance(60_000)
    await check.verified(asked, 'token')
    expect(logged).toHaveLength(2)
  })

  test('neither the token nor the secret is logged', async () => {
    const { check, logged } = aCheck()
    await check.verified(siteRequest({ verifyUrl: deadAddress() }), 'the-very-token')
    expect(logged).toHaveLength(1)
    expect(logged.join()).not.toMatch(/the-very-token|shh/)
  })

  test('a provider that keeps silent is waited for as long as allowed', async () => {
    await using server = await rawServer('')
    const { check } = aCheck({ answerMsMax: 50 })
    expect(await check.verified(siteRequest({ verifyUrl: server.url }), 'token')).toBe(false)
  })

  test('who waits for a slot waits no longer than for an answer', async () => {
    await using server = await rawServer('')
    const { check } = aCheck({
      answerMsMax: 200,
      slots: { runningPerAccountMax: 1, waitingPerAccountMax: 50, runningMax: 9 },
    })
    const asked = siteRequest({ verifyUrl: server.url })
    const answers = await Promise.all(Array.from({ length: 20 }, () => check.verified(asked, 'token')))
    expect(answers).toEqual(answers.map(() => false))
    // One after the other, all 20 would have asked.
    expect(server.connectionCount).toBeLessThan(5)
  })

  test('beyond the line a visitor counts as not verified, unasked, and the log says so', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await using server = verificationServer(async () => {
      await released
      return Response.json({ success: true })
    })
    const { check, logged } = aCheck({ slots: { runningPerAccountMax: 1, waitingPerAccountMax: 1, runningMax: 9 } })
    const asked = siteRequest({ verifyUrl: server.url })
    const inLine = [check.verified(asked, '1'), check.verified(asked, '2')]
    expect(await check.verified(asked, '3')).toBe(false)
    release()
    expect(await Promise.all(inLine)).toEqual([true, true])
    expect(server.asked.map(({ fields }) => fields.response)).toEqual(['1', '2'])
    expect(logged.join()).toContain('Too many bot checks')
  })

  test('a slow provider of one account does not hold up another account', async () => {
    const released = Promise.withResolvers<void>()
    await using slow = verificationServer(async () => {
      await released.promise
      return Response.json({ success: false })
    })
    await using server = verificationServer(() => Response.json({ success: true }))
    const { check } = aCheck({
      answerMsMax: 200_000,
      slots: { runningPerAccountMax: 1, waitingPerAccountMax: 1, runningMax: 9 },
    })
    const stuck = check.verified(siteRequest({ verifyUrl: slow.url }), 'token')
    const other = siteRequest({ verifyUrl: server.url }, { id: '0197f0a0-0000-7000-8000-00000000000b' })
    expect(await check.verified(other, 'token')).toBe(true)
    released.resolve()
    expect(await stuck).toBe(false)
  })
})
