// docs/replies.md: replies carry a one-click way to have no more (RFC 8058), at the account's own domain.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { headersOf } from '../harness/visits.ts'

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  box = await Box.start([aSite(), aSite({ account: 'bold' })])
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

const path = (email = 'ada@visitor.example') => keys.optOutPath(email)

const send = (
  method: string,
  to: string,
  { headers = {}, body = null, host = 'go.acme.test' }: Partial<Sending> = {},
) => box.send({ method, host, path: to, headers, body })

interface Sending {
  headers: Record<string, string>
  body: string | null
  host: string
}

function optOuts(): number {
  using database = new Database(join(box.dir, 'data/capture.db'), { readonly: true })
  return database.query<{ count: number }, []>('SELECT count(*) AS count FROM spent_challenge').get()?.count ?? 0
}

describe('GET', () => {
  test('asks, and changes nothing: programs follow the links of a mail', async () => {
    const before = optOuts()
    const answer = await send('GET', path())
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<form method="post"><button>Unsubscribe</button></form>')
    expect(answer.text).toContain('The acme studio')
    expect(headersOf(answer, 'cache-control', 'referrer-policy')).toEqual({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect((await send('HEAD', path())).status).toBe(200)
    expect(optOuts()).toBe(before)
  })

  test('speaks the visitor’s language', async () => {
    const answer = await send('GET', path(), { headers: { 'accept-language': 'de' } })
    expect(answer.text).toContain('<button>Abmelden</button>')
  })
})

describe('POST', () => {
  test.each([
    ['a mail program', { 'content-type': 'application/x-www-form-urlencoded' }, 'List-Unsubscribe=One-Click'],
    ['the button', { 'content-type': 'application/x-www-form-urlencoded' }, ''],
    ['a mail program that says it in parts', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--\r\n'],
    ['a program without cookies, origin or type', {}, null],
  ])('of %s is kept', async (who, headers, body) => {
    const before = optOuts()
    const answer = await send('POST', path(`${who.replaceAll(' ', '.')}@visitor.example`), { headers, body })
    expect([answer.status, optOuts()]).toEqual([200, before + 1])
    expect(answer.text).toContain('You will get no more automatic replies from this site.')
  })

  test('says the same a second time', async () => {
    const to = path('twice@visitor.example')
    const answers = [await send('POST', to), await send('POST', to)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('nothing is here', () => {
  test.each([
    ['for a token that the box did not sign', () => path().replace(/\.[^.]+$/, '.zzzz'), 'go.acme.test'],
    ['for a token that was cut off', () => path().slice(0, -10), 'go.acme.test'],
    ['for a token of another account', () => path(), 'go.bold.test'],
  ])('%s', async (_, to, host) => {
    const before = optOuts()
    for (const method of ['GET', 'POST']) expect((await send(method, to(), { host })).status).toBe(404)
    expect(optOuts()).toBe(before)
  })

  test('for another method', async () => {
    const answer = await send('DELETE', path())
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})
