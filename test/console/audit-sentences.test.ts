import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sentenceOf } from '../../src/console/audit/sentence.ts'
import { askedFor } from '../../src/console/page/box/asked-for.ts'
import { changeWords } from '../../src/console/page/box/audit-change.ts'
import { actWords } from '../../src/operations/act-words.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
let personId: string
beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
  await box.send(formRequest({ fields: { email: 'ada@example.test', full_name: 'Ada Lovelace' } }))
  const { items } = JSON.parse((await owner.get('/api/v1/accounts/acme/persons')).text)
  personId = items[0].personId
}, boxStartMsMax)
afterAll(() => box.stop())

const words = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

test('a person is called by their name, with the address beside it and ids behind Details', async () => {
  const list = await owner.get('/a/acme/persons')
  expect(list.text).toMatch(/<bdi>Ada Lovelace<\/bdi><\/a><\/td><td[^>]*><bdi>ada@example\.test/)
  const { text } = await owner.get(`/a/acme/persons/${personId}`)
  expect(text).toContain('<h1>Ada Lovelace</h1>')
  const [shown = '', behind = ''] = text.slice(text.indexOf('<main')).split('<details>')
  expect(words(shown)).toContain('ada@example.test')
  expect(words(shown)).not.toContain(personId)
  expect(words(behind)).toContain(personId)
})

test('the audit log’s page says in a sentence who did what, with a link to it', async () => {
  await owner.get(`/a/acme/persons/${personId}`)
  const { text } = await owner.get('/audit')
  const row = text.split('<tr>').find((one) => one.includes('opened the record of person')) ?? ''
  expect(words(row)).toContain(`opened the record of person …${personId.slice(-6)} in The acme studio`)
  expect(row).toContain(`href="/a/acme/persons/${personId}"`)
  expect(words(row.slice(0, row.indexOf('<details>')))).not.toContain('person.read')
})

test('an act that failed reads as a try, with the kind of reason and not what was typed', async () => {
  await owner.send('POST', '/tokens', { name: ' ', scope: 'read', account: 'acme', days: '1' })
  const { text } = await owner.get('/audit')
  const row = text.split('<tr>').find((one) => one.includes('make a token')) ?? ''
  expect(words(row)).toContain('tried to make a token failed the input does not fit')
})

test.each([
  ['an account', 'account=acme', 'invited', 'made the token of-the-box'],
  ['a user', 'user=OWNER', 'made the token of-the-box', 'invited jo@agency.example'],
  ['what failed', 'failed=true', 'tried to make a token', 'made the token of-the-box'],
] as const)(
  'the audit log, its API, its CSV and its command are narrowed to %s',
  async (_, asked, there, elsewhere) => {
    const { items: users } = JSON.parse((await owner.get('/api/v1/users')).text)
    const query = asked.replace('OWNER', encodeURIComponent(users[0].email))
    await ConsoleVisitor.invite(box, ['jo@agency.example', '--account', 'acme', '--role', 'viewer'])
    await owner.send('POST', '/tokens', { name: 'of-the-box', 'scope-read': '1', account: '*', days: '1' })
    await owner.send('POST', '/tokens', { name: ' ', scope: 'read', account: 'acme', days: '1' })
    const page = words((await owner.get(`/audit?${query}`)).text)
    expect([page.includes(there), page.includes(elsewhere)]).toEqual([true, false])
    const { text } = await owner.get(`/audit?${query}`)
    const [, csv = ''] = /href="([^"]*format=csv[^"]*)"/.exec(text) ?? []
    const { items } = JSON.parse((await owner.get(`/api/v1/audit?limit=100&${query}`)).text)
    expect(items.length).toBe(text.match(/>Details</g)?.length)
    const { text: table } = await owner.get(csv.replaceAll('&amp;', '&'))
    expect(table.match(/,[0-9a-f]{64}$/gm)).toEqual(items.map(({ hash }: { hash: string }) => `,${hash}`))
    const options = [...new URLSearchParams(query)].map(([name, value]) =>
      value === 'true' ? [`--${name}`] : [`--${name}`, value],
    )
    const { stdout } = await box.run(['audit', 'list', ...options.flat(), '--json'])
    expect(JSON.parse(stdout)).toEqual(items)
  },
)

test('a search of the audit log that finds nothing leads back to all of it', async () => {
  expect((await owner.get('/audit?failed=true&q=nowhere')).text).toContain(
    'Nothing found. <a href="/audit">Show all</a>',
  )
})

test('the audit log of an account that is not there is refused', async () => {
  expect((await owner.get('/api/v1/audit?account=nobody')).status).toBe(404)
  expect((await box.run(['audit', 'list', '--account', 'nobody'])).status).toBe(1)
})

test('who had no access reads so, with where they tried', async () => {
  const link = await ConsoleVisitor.invite(box, ['vi@agency.example', '--account', 'acme', '--role', 'viewer'])
  const viewer = new ConsoleVisitor(box)
  await viewer.accept(link)
  await viewer.get('/a/acme/publish')
  const { text } = await owner.get('/audit')
  expect(words(text)).toContain('was refused in The acme studio no access: opening Publish')
  // For programs and support.
  expect(text).toContain('<code class="wrap">GET /a/:account/publish</code>')
})

test('an invitation from the page of all users is a line of its account, too', async () => {
  await owner.send('POST', '/users', { email: 'eve@agency.example', role: 'editor', account: 'acme' })
  const { text } = await owner.get('/audit')
  const row = text.split('<tr>').find((one) => one.includes('eve@agency.example')) ?? ''
  expect(words(row)).toContain('invited eve@agency.example in The acme studio')
})

test('of a command, the log says that who ran it is no user of the console', async () => {
  const { text } = await owner.get('/audit')
  expect(text).toMatch(/<td class="wrap">\w+ <span class="hint">command<\/span><\/td><td class="wrap">invited /)
})

test('a sign-in that was refused reads as a try', async () => {
  await new ConsoleVisitor(box).send('POST', '/sign-in', {
    email: 'nobody@agency.example',
    password: 'wrong',
    code: '1',
  })
  expect(words((await owner.get('/audit')).text)).toContain('tried to sign in refused no user has this addressDetails')
})

test.each([
  ['GET /', 'opening Overview'],
  ['GET /a/:account', 'opening Inbox'],
  ['POST /a/:account/s/:submission', 'sending a form of Lead'],
  ['GET /a/:account/persons/:person/erase', 'opening Persons, Erase'],
  ['GET /box', 'opening Health'],
  ['GET /api/v1/accounts/:account', 'reading Account by the API'],
  ['DELETE /api/v1/accounts/:account/persons', 'changing Persons by the API'],
  ['POST /api/v1/tokens', 'changing Tokens by the API'],
])('that somebody was refused %s is told as %s', (endpoint, told) => {
  expect(askedFor(endpoint)).toBe(told)
})

const changeOf = (line: object) => {
  const { line: shown, all } = changeWords({ action: 'x', outcome: 'done', before: null, after: null, ...line })
  return { shown: words(shown?.text ?? '').trim(), all }
}

test('what has no lines of its own is summed up in a sentence', () => {
  const after = { since: '2026-11-22T09:15:00.000Z', wrong_password: 5, wrong_token: 2, addresses: ['192.0.2.1: 7'] }
  expect(changeOf({ action: 'refusals.sum', outcome: 'refused', after }).shown).toBe(
    '5 × wrong password or code, 2 × wrong, expired or revoked token, since 22 Nov 2026, 09:15 UTC, 7 from 192.0.2.1',
  )
})

const ended = { tokens: [{ id: '1', name: 'crm' }], invitations: ['jo@agency.example'], shares: 1, accepted: [] }

test.each([
  [
    'a token',
    { after: { name: 'ci', scopes: ['read'], expiresAt: '2027-02-27T04:42:00.000Z' } },
    'may see and export everything, until 27 Feb 2027',
  ],
  ['an invitation', { after: { role: 'editor' } }, 'as editor'],
  ['another role', { before: { role: 'viewer' }, after: { role: 'sales' } }, 'from viewer to sales'],
  ['a page', { before: { state: 'preview' }, after: { state: 'live' } }, 'from preview to live'],
  ['a page that was live already', { before: { state: 'live' }, after: { state: 'live' } }, ''],
  ['a version', { after: { version: 5, contentOf: 3 } }, 'version 5, with the content of version 3'],
  ['what clients see', { before: { shown: false }, after: { shown: true } }, 'now in full'],
  [
    'a revoked token',
    { before: { ...ended, accepted: ['li@agency.example'] } },
    'revoked the token crm, withdrew the invitation of jo@agency.example, ended 1 link to reports, li@agency.example, invited with this access, stays',
  ],
  [
    'a user',
    { before: { email: 'a@b.test', owner: false, accounts: 2, ...ended, tokens: [], invitations: [], shares: 0 } },
    'in 2 accounts',
  ],
  ['a colleague', { before: { email: 'a@b.test', role: 'sales' } }, 'was sales'],
  ['somebody invited', { before: { email: 'a@b.test', invited: true } }, 'not yet a user'],
  [
    'a reserved name',
    { before: { reservedFor: 'acme', droppedAt: '2026-11-22T09:15:00.000Z' } },
    'was reserved for acme, disconnected 22 Nov 2026',
  ],
  ['what is not known', { after: { newThing: 7 } }, 'new thing: 7'],
])('the audit log says in words what was changed about %s', (_, line, expected) => {
  expect(changeOf(line)).toEqual({ shown: expected, all: null })
})

test('a long change is cut between its items, the rest is counted, and Details has all of it', () => {
  const changes = [
    'create key tracking key',
    ...Array.from({ length: 9 }, (_, form) => `create form Ask for quote ${form}`),
  ]
  const { shown, all } = changeOf({ action: 'account.apply', after: { connected: ['go.acme.test'], changes } })
  expect(shown).toMatch(
    /^connected go\.acme\.test, new tracking key, new form Ask for quote 0, .*, new form Ask for quote 4 and 4 more$/,
  )
  expect(all?.split('\n')).toHaveLength(11)
})

test('of a single item that is too long for its line, Details has all', () => {
  const reason = 'x'.repeat(200)
  const { shown, all } = changeOf({ after: { reason } })
  expect(shown).toMatch(/^x{150,159}…$/)
  expect(all).toBe(reason)
})

test('the audit log names a user and a token whom it knows by an id', async () => {
  const link = await ConsoleVisitor.invite(box, ['lee@agency.example', '--account', 'acme', '--role', 'viewer'])
  await new ConsoleVisitor(box).accept(link)
  const { items } = JSON.parse((await owner.get('/api/v1/users')).text)
  const { id } = items.find(({ email }: { email: string }) => email === 'lee@agency.example')
  await owner.send('POST', '/users', { 'end-sessions': id })
  const { id: token } = JSON.parse(
    (await owner.sendJson('POST', '/api/v1/tokens', { name: 'nightly', scopes: ['read'], expiresInDays: 1 })).text,
  )
  await owner.send('POST', '/tokens', { revoke: token })
  // Its lines outlive the user.
  await owner.send('POST', '/users', { remove: id })
  const text = words((await owner.get('/audit')).text)
  expect(text).toContain('ended sessions: lee@agency.example')
  expect(text).toContain('revoked the token nightly')
})

test('the audit log says of who signs out that they ended a session, which has no name', async () => {
  const visitor = await ConsoleVisitor.owner(box)
  await visitor.send('POST', '/sign-out', {})
  expect(words((await owner.get('/audit')).text)).toContain('ended a session')
})

test('every act has words in the past', () => {
  const done = Object.keys(actWords).map(
    (action) =>
      sentenceOf({ action, outcome: 'done', subject: 'x', before: null, after: null } as never, '').text.split(' ')[0],
  )
  expect(done.filter((verb) => !/ed$|^(made|read|sent|set|took|wrote)$/.test(verb ?? ''))).toEqual([])
})
