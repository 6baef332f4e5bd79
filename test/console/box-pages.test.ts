import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const asViewer = async (email: string): Promise<ConsoleVisitor> => {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(await ConsoleVisitor.invite(box, [email, '--account', 'acme', '--role', 'viewer']))
  return visitor
}

test.each(['/users', '/tokens', '/audit'])('%s is there for owners alone', async (path) => {
  const viewer = await asViewer(`${path.slice(1)}@agency.example`)
  expect([(await owner.get(path)).status, (await viewer.get(path)).status]).toEqual([200, 404])
  expect((await viewer.get('/')).text).not.toContain(`href="${path}"`)
})

test('a first token is made in an open form, which has nothing to go back to', async () => {
  const { text } = await owner.get('/tokens')
  expect(text).toContain('<form class="sheet"')
  expect(text).not.toContain('class="back"')
})

test('the session that asks is never another browser', async () => {
  const { text } = await owner.get('/me')
  expect([text.includes('This browser'), text.includes('Another browser')]).toEqual([true, false])
  expect(text).toContain('data-label="Last used">now</td>')
})

test('who has no passkey is offered none as a proof', async () => {
  expect((await owner.get('/prove?to=/me')).text).not.toContain('data-passkey="prove"')
  const { text } = await owner.get('/me/password')
  expect([text.includes('name="current"'), text.includes('/prove?to=')]).toEqual([true, false])
})

describe('a form', () => {
  /** A form whose sending never ends. */
  const endless = (): ReadableStream<Uint8Array> =>
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('email=')) })
  const send = (visitor: ConsoleVisitor, path: string, body: ReadableStream<Uint8Array> | string) =>
    fetch(`http://127.0.0.1:${box.consolePort}${path}`, {
      method: 'POST',
      headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie: visitor.cookie },
      body,
    })

  test('is refused for its sender’s role before it is read', async () => {
    const viewer = await asViewer('reader@agency.example')
    const statuses = ['/users', '/a/acme/links', '/a/nobody/links'].map(
      async (path) => (await send(viewer, path, endless())).status,
    )
    expect(await Promise.all(statuses)).toEqual([404, 403, 404])
  })

  test('that is too large is refused with 413', async () => {
    const tooLarge = `email=${'x'.repeat(300_000)}`
    const paths = ['/users', '/a/acme/publish']
    const answers = paths.map(async (path) => (await send(owner, path, tooLarge)).status)
    expect(await Promise.all(answers)).toEqual([413, 413])
  })
})

describe('the page of users', () => {
  test('offers no role to change of who has become an owner', async () => {
    const visitor = await asViewer('risen@agency.example')
    const rowOf = async () =>
      /<tr>(?:(?!<\/tr>).)*risen@agency\.example.*?<\/tr>/s.exec((await owner.get('/users')).text)?.[0]
    expect(await rowOf()).toContain('name="role"')
    await visitor.accept(await ConsoleVisitor.invite(box, ['risen@agency.example', '--owner']))
    const row = await rowOf()
    expect(row).toContain('>owner</td>')
    expect(row).not.toContain('name="role"')
  })

  test('makes a link that its receiver accepts', async () => {
    const { text } = await owner.send('POST', '/users', {
      email: 'new@agency.example',
      role: 'editor',
      account: 'acme',
    })
    const [, link = ''] = /<code class="wrap" id="link">(http[^<]+)</.exec(text) ?? []
    const visitor = new ConsoleVisitor(box)
    await visitor.accept(link)
    expect((await visitor.get('/')).text).toContain('/a/acme')
  })

  test('shows open invitations, and withdraws one', async () => {
    const email = 'waiting@agency.example'
    const { text } = await owner.send('POST', '/users', { email, role: 'viewer', account: 'acme' })
    const [, link = ''] = /<code class="wrap" id="link">(http[^<]+)</.exec(text) ?? []
    expect(text).toContain('Open invitations')
    expect((await owner.get('/users')).text).toContain(`>${email}</td><td>viewer of The acme studio</td>`)
    const anew = await owner.send('POST', '/users', { email, role: 'viewer', account: 'acme' })
    expect((await new ConsoleVisitor(box).get(new URL(link).pathname)).status).toBe(410)
    expect(anew.text.match(new RegExp(`name="withdraw" value="${email}"`, 'g'))).toHaveLength(1)
    expect((await owner.send('POST', '/users', { withdraw: email })).status).toBe(303)
    expect((await owner.get('/users')).text).not.toContain(email)
    expect((await new ConsoleVisitor(box).get(new URL(link).pathname)).status).toBe(410)
  })

  test('shows no invitation that was accepted', async () => {
    await asViewer('arrived@agency.example')
    expect((await owner.get('/users')).text).not.toContain('name="withdraw" value="arrived@agency.example"')
  })

  test('says of a link that names this machine who can open it', async () => {
    const { text } = await owner.send('POST', '/users', { email: 'far@agency.example', role: 'owner' })
    expect(text).toContain('It opens only on this machine')
    const elsewhere = { host: 'console.agency.example' }
    const named = await owner.send('POST', '/users', { email: 'near@agency.example', role: 'owner' }, elsewhere)
    expect(named.text).not.toContain('It opens only on this machine')
  })

  test('asks for one of all roles, then for the account', async () => {
    const { text } = await owner.get('/users?new=1')
    expect(text).toMatch(/<fieldset class="roles">.*value="client".*value="owner".*<\/fieldset>.*id="account"/s)
    expect(text.match(/<fieldset/g)).toHaveLength(1)
  })

  test('says what is wrong with an invitation', async () => {
    const wrong = await owner.send('POST', '/users', { email: 'nobody', role: 'owner' })
    expect([wrong.status, wrong.text.includes('not an email address')]).toEqual([422, true])
    const noAccount = await owner.send('POST', '/users', { email: 'a@agency.example', role: 'viewer', account: '' })
    expect(noAccount.text).toContain('Choose the account')
  })

  test.each([
    ['without a role', { account: 'acme' }],
    ['with a role that there is not', { role: 'Owner' }],
    ['as an owner, with an account', { role: 'owner', account: 'acme' }],
  ])('makes nobody an owner who was invited %s', async (_, sent) => {
    const { text } = await owner.send('POST', '/users', { email: 'x@agency.example', ...sent })
    expect([text.includes('id="link"'), text.includes('Choose a role')]).toEqual([false, true])
  })

  test('offers nobody the end of their own sessions beside those of others, and one filled button', async () => {
    const { text } = await owner.send('POST', '/users', { email: 'link@agency.example', role: 'owner' })
    expect(text).toContain('<a class="button" href="/users?new=1">Invite a user</a>')
    const page = (await owner.get('/users')).text
    expect(page).toContain('<a class="button main" href="/users?new=1">Invite a user</a>')
    const rows = page.split('<tr>').filter((row) => row.includes('mark plain">you<'))
    expect([rows.length, rows[0]?.includes('End sessions'), page.includes('End sessions')]).toEqual([1, false, true])
  })

  test('removes a user, whose session is over at once', async () => {
    const viewer = await asViewer('leaving@agency.example')
    const { text } = await owner.get('/api/v1/users?q=leaving')
    const [{ id }] = JSON.parse(text).items
    expect((await owner.send('POST', '/users', { remove: id })).status).toBe(303)
    expect((await viewer.get('/')).status).toBe(303)
  })
})

describe('the page of tokens', () => {
  test('shows a new token once, and the API takes it until it is revoked', async () => {
    const fields = { name: '<b>ci</b>', account: 'acme', 'scope-read': '1', days: '30' }
    const { text } = await owner.send('POST', '/tokens', fields)
    const [, token = ''] = /<code class="wrap" id="token">(cap_\w+)</.exec(text) ?? []
    expect(text).toContain('</strong>. Copy it now: it is not shown again.')
    expect(text).toContain('<a class="button" href="/tokens?new=1">Make a token</a>')
    const call = () => new ConsoleVisitor(box).get('/api/v1/accounts', { authorization: `Bearer ${token}` })
    expect((await owner.get('/tokens')).text).toMatch(/data-label="Last used">never/)
    expect((await call()).status).toBe(200)
    const page = (await owner.get('/tokens')).text
    expect(page).toMatch(/data-label="Last used"><time/)
    expect(page).toContain('data-label="Can">see and export everything<')
    expect(page).not.toContain(token)
    expect(page).not.toContain('<b>ci')
    const [, id = ''] = /name="revoke" value="([^"]+)"/.exec(page) ?? []
    await owner.send('POST', '/tokens', { revoke: id })
    expect((await call()).status).toBe(401)
  })

  test('leads to its form, which has a way back, and to the CSV of the list', async () => {
    const { text } = await owner.get('/tokens')
    expect(text).toContain('<a class="button main" href="/tokens?new=1">Make a token</a>')
    expect(text).toContain('href="/api/v1/tokens?format=csv')
    const form = (await owner.get('/tokens?new=1')).text
    expect(form).toContain('<p class="back"><a href="/tokens">Tokens</a></p>')
    expect(form).not.toContain('<table')
  })

  test('makes none without a scope', async () => {
    const { status, text } = await owner.send('POST', '/tokens', { name: 'nightly', account: '*', days: '30' })
    expect(status).toBe(422)
    // Beside the scopes, in the form that is open, with what was typed.
    expect(text).toMatch(/<h1>Make a token<.*value="nightly".*<\/fieldset><p class="fault"[^>]*>Choose at least/s)
  })

  test.each([
    ['for no number of days', { account: '*', days: 'ten' }, 422, 'Type a number of days from 1 to 3650.'],
    ['for a part of a day', { account: '*', days: '0.5' }, 422, 'Type a number of days from 1 to 3650.'],
    ['without a name', { account: '*', name: ' ', days: '30' }, 422, 'Type a name'],
    ['without saying for what', { account: '', days: '30' }, 422, 'Choose the account that the token is for.'],
  ])('makes none %s', async (_, sent, status, sentence) => {
    const answer = await owner.send('POST', '/tokens', { name: 'x', 'scope-read': '1', ...sent })
    expect([answer.status, answer.text.includes(sentence)]).toEqual([status, true])
  })
})

test.each([
  ['/users', 'remove', 'user.remove'],
  ['/users', 'withdraw', 'user.remove'],
  ['/tokens', 'revoke', 'token.revoke'],
])('%s knows what is not there to %s, and notes a try as failed', async (path, field, action) => {
  const id = `nothing-like-it-${'x'.repeat(1000)}`
  expect((await owner.send('POST', path, { [field]: id })).status).toBe(404)
  const { items } = JSON.parse((await owner.get(`/api/v1/audit?q=${action}`)).text)
  // Cut off, as what a form sends may be of any length.
  expect(items[0]).toMatchObject({ outcome: 'failed', subject: id.slice(0, 300) })
})

test('a line of the audit log has its address first, then what programs look for', async () => {
  const { text } = await owner.get('/audit')
  const facts = text.split('<details class="about">').find((details) => details.includes('User id')) ?? ''
  const names = [...facts.matchAll(/<th scope="row">([^<]*)/g)].map(([, name]) => name)
  expect(names.slice(0, 5)).toEqual(['IP address', 'Exact time', 'Action', 'Target', 'User id'])
})

test('the audit log names who did what from where', async () => {
  await owner.send('POST', '/users', { email: 'noted@agency.example', role: 'owner' })
  const { text } = await owner.get('/audit?q=user.invite')
  expect(text).toContain('noted@agency.example')
  expect(text).toContain('127.0.0.1')
})
