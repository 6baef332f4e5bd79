import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { apiOf, newToken, refusalOf } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
const botCheck = { provider: 'turnstile', sitekey: 'site', secret: 'a-secret-of-the-account', required: true }
const forms = [aForm(), aForm({ id: 'quiet001', bot_check: 'off', registered: false })]
beforeAll(async () => {
  const leaving = ['one', 'two', 'three'].map((account) => aSite({ account }))
  const acme = aSite({ bot_check: botCheck, forms })
  box = await Box.start([acme, aSite({ account: 'other' }), ...leaving], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const asAdmin = async (account: string): Promise<ConsoleVisitor> => {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(
    await ConsoleVisitor.invite(box, [`${account}@agency.example`, '--account', account, '--role', 'admin']),
  )
  return visitor
}

test('an account is shown as by the command, without its secrets', async () => {
  const { body, text } = await apiOf(box, owner)('GET', '/accounts/acme')
  const { stdout } = await box.run(['account', 'show', 'acme', '--json'])
  expect(body).toEqual(JSON.parse(stdout))
  expect(text).not.toContain(botCheck.secret)
})

describe('the forms of an account', () => {
  const formsOf = async (query = '') => (await apiOf(box, owner)('GET', `/accounts/acme/forms${query}`)).body.items

  test('are listed with what decides who may send them', async () => {
    expect(await formsOf()).toMatchObject([
      {
        id: 'contact1',
        registered: true,
        botCheck: { required: true, provider: 'turnstile' },
        reply: false,
        origins: ['https://www.acme.test'],
        lastSubmissionAt: null,
      },
      { id: 'quiet001', registered: false, botCheck: { required: false, provider: 'turnstile' } },
    ])
  })

  test('say when the last submission came', async () => {
    const before = Date.now()
    await box.send(formRequest({ account: 'other' }))
    const { body } = await apiOf(box, owner)('GET', '/accounts/other/forms')
    const [{ lastSubmissionAt }] = body.items as [{ lastSubmissionAt: string }]
    expect(Date.parse(lastSubmissionAt)).toBeGreaterThanOrEqual(before - 1000)
  })

  test('are searched by id and name', async () => {
    expect(await formsOf('?q=QUIET')).toMatchObject([{ id: 'quiet001' }])
  })
})

describe('an account is removed', () => {
  test('by an owner, with its domains, its users’ parts and its tokens', async () => {
    const admin = await asAdmin('one')
    const { token } = await newToken(box, '--account', 'one', '--scope', 'read')
    const removed = await apiOf(box, owner)('DELETE', '/accounts/one')
    expect([removed.status, removed.body]).toEqual([
      200,
      {
        account: 'one',
        removed: true,
        domains: ['go.one.test'],
        pages: 0,
        images: 0,
        files: 0,
        assets: 0,
        forms: 1,
        records: 0,
      },
    ])
    expect((await apiOf(box, owner)('GET', '/accounts/one')).status).toBe(404)
    expect((await apiOf(box, { token })('GET', '/accounts')).status).toBe(401)
    expect((await admin.get('/')).text).not.toContain('/a/one')
    expect((await owner.get('/api/v1/audit?q=account.remove')).text).toContain('"done"')
  })

  test('by no administrator of it, nor by a token of it', async () => {
    const admin = apiOf(box, await asAdmin('two'))
    const token = apiOf(box, await newToken(box, '--account', 'two', '--scope', 'read,publish,release,erase,admin'))
    for (const caller of [admin, token]) {
      const answer = await caller('DELETE', '/accounts/two')
      expect([answer.status, refusalOf(answer)]).toEqual([403, 'forbidden'])
    }
    expect((await apiOf(box, owner)('GET', '/accounts/two')).status).toBe(200)
  })

  test('only as somebody has read it, by a token of the box that administers', async () => {
    const token = apiOf(box, await newToken(box, '--box', '--scope', 'admin,read'))
    const etag = (await token('GET', '/accounts/three')).headers.get('etag') ?? ''
    await box.apply(aSite({ account: 'three', name: 'Renamed' }))
    for (const tag of [etag, '"any"']) {
      const late = await token('DELETE', '/accounts/three', { headers: { 'if-match': tag } })
      expect([late.status, refusalOf(late)]).toEqual([412, 'changed_meanwhile'])
    }
    const now = (await token('GET', '/accounts/three')).headers.get('etag') ?? ''
    expect((await token('DELETE', '/accounts/three', { headers: { 'if-match': now } })).body).toMatchObject({
      removed: true,
    })
  })
})

test('the list of accounts has those of the caller alone, as the command prints them', async () => {
  const { accounts } = JSON.parse((await box.run(['account', 'list', '--json'])).stdout)
  const all = await apiOf(box, owner)('GET', '/accounts')
  expect(all.body).toEqual({ items: accounts, next: null })
  const mine = await apiOf(box, await newToken(box, '--account', 'acme', '--scope', 'read'))('GET', '/accounts?limit=1')
  expect(mine.body).toMatchObject({ items: [{ account: 'acme' }], next: null })
  const csv = await apiOf(box, owner)('GET', '/accounts?q=other&format=csv')
  expect(csv.text).toBe('account,name,domains,forms,tracking\r\nother,The other studio,go.other.test,1,true\r\n')
})
