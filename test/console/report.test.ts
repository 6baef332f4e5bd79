import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { visit } from '../harness/visits.ts'

let box: Box
let token: string
beforeAll(async () => {
  box = await Box.start([aSite(), aSite({ account: 'other' })], { console: { listen: '127.0.0.1:0' } })
  await box.send(visit('/offer'))
  submissionIdOf(await box.send(formRequest({ fields: { email: 'ada@example.test', name: '=Lovelace' } })))
  const created = await box.run([
    'token',
    'create',
    '--name',
    'test',
    '--box',
    '--scope',
    'read,publish,admin',
    '--expires',
    '1d',
    '--json',
  ])
  token = JSON.parse(created.stdout).token
}, boxStartMsMax)
afterAll(() => box.stop())

/** A call with a token, with a JSON body where there is one. */
async function call(method: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${box.consolePort}/api/v1/accounts${path}`, {
    method,
    headers: {
      host: 'localhost',
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
}

/** Whoever has the link: no cookie, no token. */
const stranger = (path: string) => new ConsoleVisitor(box).get(path, { 'sec-fetch-site': 'cross-site' })
const pathOf = (link: string): string => new URL(link).pathname

describe('the report of an account', () => {
  test('is what the command prints', async () => {
    await eventually('the missing address is counted', async () => {
      return (await call('GET', '/acme/report')).body.missing.length > 0
    })
    const printed = JSON.parse((await box.run(['report', 'acme', '--json'])).stdout)
    expect((await call('GET', '/acme/report')).body).toEqual(printed)
    expect(printed.totals).toMatchObject({ leads: 1 })
  })

  test.each([
    ['month=2026-02', '--month 2026-02'],
    ['since=2026-01-03&until=2026-01-09', '--since 2026-01-03 --until 2026-01-09'],
    ['since=90d', '--since 90d'],
  ])('takes the options of the command: %s', async (query, options) => {
    const printed = await box.run(['report', 'acme', ...options.split(' '), '--json'])
    expect((await call('GET', `/acme/report?${query}`)).body).toEqual(JSON.parse(printed.stdout))
  })

  test.each([
    'since=yesterday-is-no-date',
    'month=2026-10&since=2026-10-01',
    'since=2026-01-03&until=2026-01-03',
    'since=2999-01-01',
    'table=persons',
  ])('refuses %s without repeating it', async (query) => {
    const { status, text } = await call('GET', `/acme/report?${query}`)
    expect([status, text.includes('yesterday')]).toEqual([422, false])
  })

  test.each([
    ['days', 'date,visits,visitors,'],
    ['sources', 'source,leads\r\n'],
    ['campaigns', 'campaign,'],
    ['goals', 'name,form,event,page,'],
    ['channels', 'channel,name,visits,visitors,leads,conversion\r\nsources,'],
    ['pages', 'slug,views'],
    ['forms', 'id,name,leads,likelyDuplicates\r\ncontact1,'],
    ['messages', 'message,humanClicks,suspectedClicks,machineClicks'],
    ['refusals', 'endpoint,check,count'],
  ])('has its %s as CSV', async (table, beginning) => {
    const { text, headers } = await call('GET', `/acme/report?format=csv&table=${table}`)
    expect(text).toStartWith(beginning)
    expect(headers.get('content-disposition')).toContain(`acme-${table}-`)
  })
})

test('clicks are judged again as by the command', async () => {
  expect((await call('POST', '/acme/clicks/rejudge')).body).toEqual({ account: 'acme', clicks: 0, changed: [] })
})

describe('a shared report', () => {
  test('is shown to whoever has the link, until it is taken back', async () => {
    const { status, body } = await call('POST', '/acme/report/share', { since: '7d', expiresInDays: 3 })
    expect([status, body.period]).toEqual([201, { since: '7d' }])
    const shown = await stranger(pathOf(body.link))
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('Leads by form')
    expect((await call('GET', '/acme/report/share')).body.items).toContainEqual(body)
    expect((await call('DELETE', `/acme/report/share/${body.id}`)).status).toBe(200)
    expect((await stranger(pathOf(body.link))).status).toBe(404)
    expect((await call('DELETE', `/acme/report/share/${body.id}`)).status).toBe(404)
  })

  test('has nothing of a person, is kept by nobody and in no index, and may be framed by nobody', async () => {
    const { body } = await call('POST', '/acme/report/share', {})
    const { text, headers } = await stranger(pathOf(body.link))
    for (const personal of ['ada@example.test', 'Lovelace', '127.0.0.1']) expect(text).not.toContain(personal)
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('set-cookie')).toBeNull()
  })

  test('answers every link that is none in the same way', async () => {
    const { body } = await call('POST', '/acme/report/share', {})
    const token = pathOf(body.link)
    const [key = '', id = '', expiry = '', mac = ''] = token.split('.')
    const answers = await Promise.all(
      [
        '/r/nonsense',
        `${token}x`,
        token.slice(0, -1),
        `${key}.${id}.${expiry}z.${mac}`,
        `${key}.${id.replaceAll(/[0-9]/g, '0')}.${expiry}.${mac}`,
        `/r/${'x'.repeat(5000)}`,
      ].map(stranger),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 404 })
    expect(answers[0]?.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  })

  test('belongs to its account: another one cannot end it', async () => {
    const { body } = await call('POST', '/acme/report/share', {})
    expect((await call('DELETE', `/other/report/share/${body.id}`)).status).toBe(404)
    expect((await stranger(pathOf(body.link))).status).toBe(200)
  })

  test('ends with all others when the key that signs them is replaced', async () => {
    const { body } = await call('POST', '/acme/report/share', {})
    const rotated = await box.run(['secret', 'rotate', 'share'])
    expect(rotated.stdout).toStartWith('Links to shared reports are signed with the key ')
    expect((await stranger(pathOf(body.link))).status).toBe(404)
  })

  test.each([{ expiresInDays: 0 }, { expiresInDays: 401 }, { month: 'October' }, { form: 'contact1' }])(
    'is not made of %p',
    async (wanted) => {
      expect((await call('POST', '/acme/report/share', wanted)).status).toBe(422)
    },
  )

  test('is none of an account that is gone', async () => {
    const { body } = await call('POST', '/other/report/share', {})
    expect((await box.run(['account', 'remove', 'other', '--yes'])).status).toBe(0)
    expect((await stranger(pathOf(body.link))).status).toBe(404)
  })
})

test('the page of a link works only on the console’s own address', async () => {
  const { body } = await call('POST', '/acme/report/share', {})
  expect((await box.send(visit(pathOf(body.link)))).status).toBe(404)
})
