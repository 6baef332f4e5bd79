// A form that a page refuses is answered with the status that a program would get, and the page says why.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { zipOf } from '../harness/zips.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  const acme = aSite({ files: { 'pages/launch.html': '<p>Launch</p>' } })
  box = await Box.start([acme], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const faulty = 'account = "acme"\nname = 5\ndomains = []\n'

test.each<[sent: string, status: number, said: string, path: string, fields: Record<string, string>]>([
  ['a weak password', 422, 'characters', '/me/password', { password: 'short', again: 'short' }],
  ['a wrong first code', 422, 'not the code', '/me/app', { totp: 'AAAA', code: '000000' }],
  [
    'a proof of nobody',
    403,
    'Password or code is wrong',
    '/prove',
    { password: 'a wrong one', code: '000000', to: '/' },
  ],
  ['another handle', 422, 'Nothing was removed', '/a/acme/remove', { handle: 'acne' }],
  ['a revocation without the tick', 422, 'Tick the box', '/a/acme/settings', { act: 'revoke' }],
  ['a version that there is not', 409, 'version', '/a/acme/pages/launch', { do: 'rollback', to: '99' }],
  ['a page that has changed', 409, 'changed', '/a/acme/pages/launch', { do: 'unpublish', seen: 'an older one' }],
  ['a link to elsewhere', 409, 'id="links-fault"', '/a/acme/links', { links: 'https://elsewhere.example/' }],
  ['an upload that is gone', 410, 'This upload is gone', '/a/acme/publish', { upload: 'nothing' }],
  ['a form that the page does not have', 404, 'Nothing here', '/a/acme/settings', { act: 'burn' }],
])('%s is answered with %i', async (_, status, said, path, fields) => {
  const answer = await owner.send('POST', path, fields)
  expect([answer.status, answer.text.includes(said)]).toEqual([status, true])
})

test('faulty settings are answered with 422, and the fault at its line', async () => {
  const [, tag = ''] = /name="tag" value="([^"]+)"/.exec((await owner.get('/a/acme/settings')).text) ?? []
  const answer = await owner.send('POST', '/a/acme/settings', { text: faulty, tag })
  expect([answer.status, answer.text.includes('Line 2')]).toEqual([422, true])
})

test('settings that somebody else has changed are answered with 409', async () => {
  const text = 'account = "acme"\nname = "Mine"\ndomains = ["go.acme.test"]\n'
  const answer = await owner.send('POST', '/a/acme/settings', { text, tag: 'an older one' })
  expect([answer.status, answer.text.includes('name = &quot;Mine&quot;')]).toEqual([409, true])
})

test.each([
  ['that is no zip', 'nothing', 422, 'This is no zip'],
  ['with faults, once its plan is asked for', zipOf({ 'site.toml': faulty }), 422, 'Line 2'],
])('a folder %s is answered with its fault', async (_, bytes, status, said) => {
  const form = new FormData()
  form.append('zip', new Blob([bytes]), 'site.zip')
  const sent = await owner.sendForm('/a/acme/publish', form)
  const plan = sent.headers.get('location')
  const answer = plan === null ? sent : await owner.get(plan)
  expect([answer.status, answer.text.includes(said)]).toEqual([status, true])
})

test('a path without a page leaves its reader within the console, and says nothing of accounts of others', async () => {
  const viewer = new ConsoleVisitor(box)
  await viewer.accept(await ConsoleVisitor.invite(box, ['v@agency.example', '--account', 'acme', '--role', 'viewer']))
  await box.apply(aSite({ account: 'other', name: 'The other studio' }))
  for (const path of ['/nowhere', '/a/acme/pages/nowhere', '/a/nobody', '/a/other']) {
    const { status, text } = await viewer.get(path)
    expect([path, status, text.includes('<h1>Nothing here</h1>'), text.includes('id="menu"')]).toEqual([
      path,
      404,
      true,
      true,
    ])
    expect(text.includes('The other studio')).toBe(false)
  }
  expect((await new ConsoleVisitor(box).get('/nowhere')).text).not.toContain('id="menu"')
})

test('an upload that is gone is answered with 410 to whoever looks for its plan', async () => {
  expect((await owner.get('/a/acme/publish?upload=nothing')).status).toBe(410)
})
