// What pages and the API do leaves the same lines in the audit log, however it ends.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { type ConsoleAnswer, ConsoleVisitor } from '../harness/console-visitor.ts'
import { zipOf } from '../harness/zips.ts'

interface Line {
  action: string
  account: string | null
  subject: string
  outcome: string
  before: unknown
  after: unknown
}

let box: Box
let owner: ConsoleVisitor
let submission: string
beforeAll(async () => {
  const deliveries = [{ name: 'crm', kind: 'webhook', url: 'https://crm.example.com/hook' }]
  const files = { 'pages/launch.html': '<title>Launch</title>' }
  const gone = ['gone-1', 'gone-2'].map((account) => aSite({ account }))
  box = await Box.start([aSite({ deliveries, files }), ...gone], { console: { listen: '127.0.0.1:0' } })
  submission = submissionIdOf(await box.send(formRequest()))
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

async function lastLine(): Promise<Line> {
  const { items } = JSON.parse((await owner.get('/api/v1/audit?limit=1')).text)
  const { action, account, subject, outcome, before, after } = items[0]
  return { action, account, subject, outcome, before, after }
}

/** Sends it, and answers the line that it has left. */
async function lineOf(send: () => Promise<ConsoleAnswer>): Promise<Line> {
  await send()
  return lastLine()
}

type PageAct = readonly [path: string, fields: Record<string, string>]
type ApiCall = readonly [method: string, path: string, body?: object]

const byPage = ([path, fields]: PageAct) => lineOf(() => owner.send('POST', path, fields))
const byApi = ([method, path, body]: ApiCall) =>
  lineOf(() =>
    body === undefined
      ? owner.send(method, `/api/v1${path}`)
      : owner.sendJson(method, `/api/v1${path}`, JSON.parse(JSON.stringify(body).replaceAll('SUBMISSION', submission))),
  )

const acme = '/accounts/acme'
const email = 'new@agency.example'

describe('what a page does is noted as what the API does', () => {
  test.each<[action: string, subject: string, page: PageAct, api: ApiCall]>([
    ['key.rotate', 'acme', ['/a/acme/settings', { act: 'rotate', overlap: '7' }], ['POST', `${acme}/keys/rotate`]],
    ['key.revoke', 'acme', ['/a/acme/settings', { act: 'revoke', sure: '1' }], ['POST', `${acme}/keys/revoke`]],
    [
      'account.domains',
      'agency.example',
      ['/a/acme/domains', { act: 'addSuffix', suffix: 'agency.example' }],
      ['POST', `${acme}/suffixes`, { suffix: 'agency.example' }],
    ],
    [
      'destination.pause',
      'crm',
      ['/a/acme/deliveries', { act: 'pause', destination: 'crm' }],
      ['POST', `${acme}/destinations/crm/pause`],
    ],
    [
      'destination.resume',
      'crm',
      ['/a/acme/deliveries', { act: 'resume', destination: 'crm' }],
      ['POST', `${acme}/destinations/crm/resume`],
    ],
    [
      'delivery.retry',
      'crm',
      ['/a/acme/deliveries', { act: 'retry', destination: 'crm' }],
      ['POST', `${acme}/deliveries/retry?destination=crm`],
    ],
    [
      'destination.secret.rotate',
      'crm',
      ['/a/acme/deliveries', { act: 'secret', destination: 'crm' }],
      ['POST', `${acme}/destinations/crm/secret/rotate`],
    ],
    [
      'preview.sign',
      'launch',
      ['/a/acme/pages/launch', { do: 'preview' }],
      ['POST', `${acme}/preview`, { kind: 'page', id: 'launch' }],
    ],
    [
      'user.invite',
      email,
      ['/users', { email, role: 'viewer', account: 'acme' }],
      ['POST', '/users/invite', { email, role: 'viewer', account: 'acme' }],
    ],
    [
      'secret.rotate',
      'preview',
      ['/box', { act: 'rotate', purpose: 'preview', sure: '1' }],
      ['POST', '/secrets/preview/rotate'],
    ],
  ])('%s', async (action, subject, page, api) => {
    const line = await byPage(page)
    expect(line).toMatchObject({ action, subject, outcome: 'done' })
    expect(await byApi(api)).toEqual(line)
  })

  test('file.read by the submission, since an erasure leaves the log as it is', async () => {
    const line = await byApi(['GET', `${acme}/submissions/${submission}/files/Ada-Lovelace.pdf`])
    expect(line).toMatchObject({ action: 'file.read', account: 'acme', subject: submission })
  })

  test('submission.state and submission.note, by the submission', async () => {
    const state = await byPage([`/a/acme/s/${submission}`, { do: 'done' }])
    expect(state).toMatchObject({ action: 'submission.state', account: 'acme', subject: submission, outcome: 'done' })
    expect(await byApi(['PUT', `${acme}/submissions/${submission}/state`, { state: 'done' }])).toEqual(state)
    const note = await byPage([`/a/acme/s/${submission}`, { do: 'note', text: 'hers' }])
    expect(note).toMatchObject({ action: 'submission.note', account: 'acme', subject: submission, outcome: 'done' })
    expect(await byApi(['POST', `${acme}/submissions/${submission}/notes`, { text: 'hers' }])).toEqual(note)
  })

  test('page.unpublish, with the state before and after', async () => {
    const { text } = await owner.get('/a/acme/pages/launch')
    const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(text) ?? []
    const moved = await byPage(['/a/acme/pages/launch', { do: 'unpublish', seen }])
    expect(moved).toMatchObject({ subject: 'launch', before: { state: 'live' }, after: { state: 'preview' } })
    await owner.send('POST', `/api/v1${acme}/pages/launch/publish`)
    expect(await byApi(['POST', `${acme}/pages/launch/unpublish`])).toEqual(moved)
  })

  test('account.remove, by the handle', async () => {
    const removed = await byPage(['/a/gone-1/remove', { handle: 'gone-1' }])
    expect(removed).toMatchObject({ action: 'account.remove', subject: 'gone-1', outcome: 'done' })
    const before = { domains: ['go.gone-2.test'] }
    expect(await byApi(['DELETE', '/accounts/gone-2'])).toEqual({ ...removed, subject: 'gone-2', before })
  })

  test('person.list', async () => {
    const line = await lineOf(() => owner.get('/a/acme/persons'))
    expect(line).toMatchObject({ action: 'person.list', account: 'acme', outcome: 'done' })
    expect(await lineOf(() => owner.get(`/api/v1${acme}/persons`))).toEqual(line)
  })

  test.each<[action: string, page: PageAct, api: ApiCall]>([
    [
      'token.create',
      ['/tokens', { name: 'ci', account: 'acme', 'scope-read': '1', days: '30' }],
      ['POST', '/tokens', { name: 'ci', account: 'acme', scopes: ['read'], expiresInDays: 30 }],
    ],
    ['report.share', ['/a/acme/report', { days: '30' }], ['POST', `${acme}/report/share`, {}]],
  ])('%s, by the id of what was made', async (action, page, api) => {
    for (const line of [await byPage(page), await byApi(api)])
      expect(line).toMatchObject({ action, outcome: 'done', subject: expect.stringMatching(/^[\w-]{10,}$/) })
  })
})

describe('what is refused is noted as failed, by page and API', () => {
  test.each<[action: string, subject: string, page: PageAct, api: ApiCall]>([
    [
      'destination.pause',
      'nothing',
      ['/a/acme/deliveries', { act: 'pause', destination: 'nothing' }],
      ['POST', `${acme}/destinations/nothing/pause`],
    ],
    ['delivery.retry', 'nothing', ['/a/acme/deliveries/nothing', {}], ['POST', `${acme}/deliveries/nothing/retry`]],
    [
      'page.rollback',
      'launch',
      ['/a/acme/pages/launch', { do: 'rollback', to: '99' }],
      ['POST', `${acme}/pages/launch/rollback`, { to: 99 }],
    ],
    [
      'submission.release',
      'nothing',
      ['/a/acme/s/nothing', { do: 'release' }],
      ['POST', `${acme}/submissions/nothing/release`],
    ],
    [
      'submission.state',
      'nothing',
      ['/a/acme', { do: 'done', submission: 'nothing' }],
      ['PUT', `${acme}/submissions/nothing/state`, { state: 'done' }],
    ],
    [
      'submission.note.remove',
      'nothing',
      ['/a/acme/s/nothing', { do: 'remove-note', note: 'none' }],
      ['DELETE', `${acme}/submissions/nothing/notes/none`],
    ],
    ['person.erase', '', ['/a/acme/persons/nobody/erase', {}], ['DELETE', `${acme}/persons/nobody`]],
    [
      'report.unshare',
      'nothing',
      ['/a/acme/report', { revoke: 'nothing' }],
      ['DELETE', `${acme}/report/share/nothing`],
    ],
    [
      'domain.check',
      'x.test',
      ['/a/acme/domains', { act: 'check', host: 'x.test' }],
      ['POST', `${acme}/domains/x.test/check`],
    ],
    ['token.revoke', 'nothing', ['/tokens', { revoke: 'nothing' }], ['DELETE', '/tokens/nothing']],
    [
      'user.invite',
      '',
      ['/users', { email: 'nobody', role: 'owner' }],
      ['POST', '/users/invite', { email: 'nobody', owner: true }],
    ],
    ['session.end', 'nothing', ['/me', { end: 'nothing' }], ['DELETE', '/sessions/nothing']],
    ['session.end', 'nothing', ['/users', { 'end-sessions': 'nothing' }], ['DELETE', '/users/nothing/sessions']],
  ])('%s', async (action, subject, page, api) => {
    const line = await byPage(page)
    expect(line).toMatchObject({ action, subject, outcome: 'failed' })
    expect(await byApi(api)).toEqual(line)
  })

  test.each<[action: string, page: PageAct]>([
    ['password.change', ['/me/password', { password: 'short', again: 'short' }]],
    ['app.change', ['/me/app', { totp: 'AAAA', code: '000000' }]],
    ['account.remove', ['/a/acme/remove', { handle: 'acne' }]],
    ['account.apply', ['/a/acme/publish', { upload: 'nothing' }]],
  ])('%s of a page alone', async (action, page) => {
    expect(await byPage(page)).toMatchObject({ action, outcome: 'failed' })
  })

  test('as a proof of nobody is', async () => {
    const line = await byPage(['/prove', { password: 'a wrong one', code: '000000' }])
    expect(line).toMatchObject({ action: 'session.prove', outcome: 'refused' })
  })
})

describe('a folder that makes an account', () => {
  const siteToml = (account: string) => `account = "${account}"\nname = "New"\ndomains = ["go.${account}.test"]\n`
  const made = (account: string) => ({
    action: 'account.apply',
    account,
    subject: account,
    outcome: 'done',
    after: { changes: [`create account ${account}`, 'create key tracking key'] },
  })

  test('is noted with the account and its changes, by the API', async () => {
    const body = new FormData()
    body.append('zip', new Blob([zipOf({ 'site.toml': siteToml('by-api') })]), 'site.zip')
    expect(await lineOf(() => owner.sendForm('/api/v1/accounts/apply', body))).toMatchObject(made('by-api'))
  })

  test('and by the page', async () => {
    const form = new FormData()
    form.append('zip', new Blob([zipOf({ 'site.toml': siteToml('by-page') })]), 'site.zip')
    const plan = (await owner.sendForm('/publish', form)).headers.get('location') ?? ''
    const hidden = (await owner.get(plan)).text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)
    const fields = Object.fromEntries(Array.from(hidden, ([, name = '', value = '']) => [name, value]))
    expect(await byPage(['/publish', fields])).toMatchObject(made('by-page'))
  })
})

test('an invitation that is accepted and a sign-out are noted by their user', async () => {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(await ConsoleVisitor.invite(box, ['lea@acme.example', '--account', 'acme', '--role', 'editor']))
  await visitor.send('POST', '/sign-out')
  const { items } = JSON.parse((await owner.get('/api/v1/audit?q=lea@acme.example&limit=3')).text)
  const by = { actor: { kind: 'user', label: 'lea@acme.example' }, outcome: 'done' }
  expect(items).toMatchObject([
    { action: 'session.end', ...by },
    { action: 'session.begin', ...by },
    { action: 'invitation.accept', account: 'acme', after: { role: 'editor' }, ...by },
  ])
})
