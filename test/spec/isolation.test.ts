// Contract section 1: nothing of one account is reachable through another account's domain. Every id of each account
// against every domain of the other; the answer is the one for a thing that does not exist.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, preflightOf, submissionIdOf } from '../harness/capture-requests.ts'
import { type Answer, jsonOf, refusalOf } from '../harness/http.ts'
import { cookieOf } from '../harness/identity.ts'

const accounts = {
  alpha: { domains: ['go.alpha.test', 'l.alpha.test'], forms: ['alphafm1', 'alphafm2'] },
  omega: { domains: ['go.omega.test', 'l.omega.test', 'go.omega.example'], forms: ['omegafm1'] },
} as const
type Account = keyof typeof accounts

const sharedForm = 'shared01'
let box: Box

beforeAll(async () => {
  const sites = (Object.keys(accounts) as Account[]).map((account) =>
    aSite({
      account,
      domains: [...accounts[account].domains],
      forms: [sharedForm, ...accounts[account].forms].map((id) => aForm({ id })),
    }),
  )
  box = await Box.start(sites, { limits: { form_per_ip: 1000 } })
}, boxStartMsMax)

afterAll(() => box.stop())

/** Status, text and headers, but for the date: what a caller could tell two answers apart by. */
const told = ({ status, headers, text }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date')),
})

/** Every account with every domain of the other. */
const crossings = (['alpha', 'omega'] as const).flatMap((owner) => {
  const other = owner === 'alpha' ? 'omega' : 'alpha'
  return accounts[other].domains.map((host) => ({ owner, other, host }))
})

describe.each(crossings)('what belongs to $owner, asked of $host,', ({ owner, other, host }) => {
  const own = { host, account: other }

  test.each(accounts[owner].forms.map((form) => [form]))(
    'form %s: answers as one that does not exist',
    async (form) => {
      const answer = await box.send(formRequest({ ...own, form }))
      expect(refusalOf(answer)).toEqual({ status: 404, code: 'unknown_source' })
      expect(told(answer)).toEqual(told(await box.send(formRequest({ ...own, form: 'nosuchfm' }))))
    },
  )

  test('form ids: are not registered in the runtime configuration', async () => {
    const path = `/_svc/rc?f=${accounts[owner].forms.join(',')}`
    const answer = await box.send({ ...formRequest(own), method: 'GET', path, body: null })
    expect(jsonOf(answer).forms).toEqual(
      Object.fromEntries(accounts[owner].forms.map((id) => [id, { registered: false }])),
    )
  })

  test('tracking key: answers as one that does not exist', async () => {
    const [foreign, random] = [trackingKeyOf(owner), `svc_tk_${'r'.repeat(32)}`].map((key) =>
      eventRequest({ ...own, headers: { 'x-svc-site-key': key } }),
    )
    if (foreign === undefined || random === undefined) throw new Error('two requests were made')
    const answer = await box.send(foreign)
    expect(refusalOf(answer)).toEqual({ status: 403, code: 'unknown_source' })
    expect(told(answer)).toEqual(told(await box.send(random)))
  })

  test('identity cookie: is no consent evidence and names no device', async () => {
    const cookie = cookieOf(await box.send(eventRequest({ account: owner })))
    const refused = await box.send(eventRequest({ ...own, headers: { cookie, 'x-svc-consent': null } }))
    expect(refusalOf(refused)).toEqual({ status: 403, code: 'consent_missing' })
    const accepted = await box.send(eventRequest({ ...own, headers: { cookie } }))
    expect(cookieOf(accepted).split('.')[0]).not.toBe(cookie.split('.')[0])
  })

  test('allowlisted origin and own origin: are refused', async () => {
    const origins = [`https://www.${owner}.test`, ...accounts[owner].domains.map((domain) => `http://${domain}`)]
    const requests = origins.flatMap((origin) => {
      const overrides = { ...own, headers: { origin } }
      const form = formRequest({ ...overrides, form: sharedForm })
      return [form, eventRequest(overrides), preflightOf(form, origin)]
    })
    const statuses = await Promise.all(requests.map(async (request) => (await box.send(request)).status))
    expect(statuses).toEqual(requests.map(() => 403))
  })

  test('a form id that both have: is the one of the domain that was asked', async () => {
    const id = submissionIdOf(await box.send(formRequest({ ...own, form: sharedForm })))
    const holders = await Promise.all(
      [owner, other].map(async (account) =>
        (await box.submissions(account)).some(({ submissionId }) => submissionId === id),
      ),
    )
    expect(holders).toEqual([false, true])
  })
})

test('every domain of an account answers for it', async () => {
  const domains = (['alpha', 'omega'] as const).flatMap((account) =>
    accounts[account].domains.map((host) => ({ account, host })),
  )
  const statuses = await Promise.all(
    domains.map(async (own) => (await box.send(formRequest({ ...own, form: sharedForm }))).status),
  )
  expect(statuses).toEqual(domains.map(() => 200))
})

test.each(['go.ALPHA.test', 'go.alpha.test.', 'go.alpha.test:8080', 'Go.Alpha.Test.:8080'])(
  'the host is read whatever its case, port and trailing dot: %s',
  async (host) => {
    expect((await box.send(formRequest({ account: 'alpha', host, form: sharedForm }))).status).toBe(200)
  },
)

describe('a host that is no connected domain', () => {
  test.each(['unknown.test', 'alpha.test', 'x.go.alpha.test', '127.0.0.1', 'localhost', 'preview.localhost'])(
    '%s answers 404 to everything',
    async (host) => {
      const requests = [
        formRequest({ account: 'alpha', host, form: sharedForm }),
        eventRequest({ account: 'alpha', host }),
        preflightOf(formRequest({ host, form: sharedForm }), 'https://www.alpha.test'),
      ]
      const statuses = await Promise.all(requests.map(async (request) => (await box.send(request)).status))
      expect(statuses).toEqual([404, 404, 404])
    },
  )
})
