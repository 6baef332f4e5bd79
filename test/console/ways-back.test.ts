import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { zipOf } from '../harness/zips.ts'

let box: Box
let owner: ConsoleVisitor
let client: ConsoleVisitor
let submission: string
let delivery: string
beforeAll(async () => {
  const deliveries = [{ name: 'crm', kind: 'webhook', url: 'https://hooks.acme.test/' }]
  const files = { 'pages/launch.html': '<!doctype html><title>Launch</title>' }
  box = await Box.start([aSite({ forms: [aForm()], files, deliveries })], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
  client = new ConsoleVisitor(box)
  await client.accept(await ConsoleVisitor.invite(box, ['mia@acme.example', '--account', 'acme', '--role', 'client']))
  submission = submissionIdOf(await box.send(formRequest({ fields: { email: 'ada@example.test' } })))
  const { items } = JSON.parse((await owner.get('/api/v1/accounts/acme/deliveries')).text)
  delivery = items[0].id
}, boxStartMsMax)
afterAll(() => box.stop())

test.each([
  ['a page', () => '/a/acme/pages/launch', '/a/acme/pages', 'All pages'],
  ['a person', () => '/a/acme/persons/ada@example.test', '/a/acme/persons', 'All persons'],
  ['a delivery', () => `/a/acme/deliveries/${delivery}`, '/a/acme/deliveries', 'All deliveries'],
  ['earlier leads', () => '/a/acme/deliveries?backfill=crm', '/a/acme/deliveries', 'All deliveries'],
  ['the removal of an account', () => '/a/acme/remove', '/a/acme/settings', 'Settings'],
  ['a new password', () => '/me/password', '/me', 'Your sign-in'],
  ['another app', () => '/me/app', '/me', 'Your sign-in'],
  ['recovery codes', () => '/me/recovery-codes', '/me', 'Your sign-in'],
])('above %s stands the way back', async (_, path, href, text) => {
  expect((await owner.get(path())).text).toContain(`<p class="back"><a href="${href}">${text}</a></p>`)
})

test('above what would change, and what was published or not, stands the way back', async () => {
  const edited = await owner.send('POST', '/a/acme/settings', { text: 'nonsense = 1' })
  expect(edited.text).toContain('<p class="back"><a href="/a/acme/settings">Settings</a></p>')
  for (const value of ['shop.acme.test', 'no domain']) {
    const { text } = await owner.send('POST', '/a/acme/settings', { change: 'domain', value })
    expect(text).toContain('<p class="back"><a href="/a/acme/domains">Domains</a></p>')
  }
  const publish = '<p class="back"><a href="/a/acme/publish">Publish</a></p>'
  const uploaded = await upload({ 'site.toml': 'account = "acme"\nname = "Acme"\ndomains = ["go.acme.test"]\n' })
  expect(uploaded.text).toContain(publish)
  expect((await owner.send('POST', '/a/acme/publish', hidden(uploaded.text))).text).toContain(publish)
  expect((await upload({ 'site.toml': 'nonsense = 1' })).text).toContain(publish)
})

async function upload(files: Record<string, string>) {
  const form = new FormData()
  form.append('files', new Blob([]), '')
  form.append('zip', new Blob([zipOf(files)]), 'site.zip')
  const { headers } = await owner.sendForm('/a/acme/publish', form)
  return owner.get(headers.get('location') ?? '')
}

const hidden = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

test('above a lead stands the way to all leads, for colleagues and for the customer', async () => {
  const path = `/a/acme/s/${submission}`
  expect((await owner.get(path)).text).toContain('<a class="back" id="to-list" href="/a/acme">All leads</a>')
  expect((await client.get(path)).text).toContain('<a class="back" href="/a/acme">All leads</a>')
})

const nowhere = '0190b7a0-0000-7000-8000-000000000000'

test.each([
  ['a lead', `/a/acme/s/${nowhere}`, '/a/acme', 'Back to Inbox'],
  ['a person', `/a/acme/persons/${nowhere}`, '/a/acme/persons', 'Back to Persons'],
  ['a page', '/a/acme/pages/nowhere', '/a/acme/pages', 'Back to Pages'],
  ['a page of an account', '/a/acme/nothing', '/a/acme', 'Back to Inbox'],
  ['an account', '/a/nobody/persons', '/', 'Back to Overview'],
])('in place of %s that is not there, one way leads to where others are', async (_, path, href, text) => {
  const { status, text: page } = await owner.get(path)
  expect([status, page]).toEqual([404, expect.stringContaining(`<a class="button main" href="${href}">${text}</a>`)])
  expect(page).toContain('<p>It was removed, the address is wrong, or you may not open it.</p>')
})

test('a customer is led back to their leads', async () => {
  const { status, text } = await client.get(`/a/acme/s/${nowhere}`)
  expect([status, text]).toEqual([404, expect.stringContaining('href="/a/acme">Back to Leads</a>')])
})

test('above a list stands none', async () => {
  expect((await owner.get('/a/acme/deliveries')).text).not.toContain('class="back"')
})
