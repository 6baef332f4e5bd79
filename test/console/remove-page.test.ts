import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { becomesLive } from '../harness/publishing.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  const botCheck = { provider: 'turnstile', sitekey: 'site', secret: 'a-secret-of-the-account' }
  const acme = aSite({ name: '<i>Acme</i>', bot_check: botCheck, files: { 'pages/launch.html': '<p>one</p>' } })
  box = await Box.start([acme], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const page = { method: 'GET', host: 'go.acme.test', path: '/launch', headers: {}, body: null }

// In this order: the last test removes the account.
test('the page of an account shows its settings, and none of its secrets', async () => {
  const { text } = await owner.get('/a/acme/settings')
  expect(text).toContain('turnstile')
  expect(text).toContain('href="/a/acme/remove"')
  expect(text).not.toContain('a-secret-of-the-account')
  expect(text).not.toContain('<i>Acme')
})

test('an administrator of the account reads it, and removes nothing', async () => {
  const admin = new ConsoleVisitor(box)
  const link = await ConsoleVisitor.invite(box, ['admin@agency.example', '--account', 'acme', '--role', 'admin'])
  await admin.accept(link)
  expect((await admin.get('/a/acme/settings')).text).not.toContain('/a/acme/remove')
  expect((await admin.get('/a/acme/remove')).status).toBe(403)
  expect((await admin.send('POST', '/a/acme/remove', { handle: 'acme' })).status).toBe(403)
  expect((await box.send(page)).status).toBe(200)
})

test('an owner is told what would go, and removes nothing without the handle', async () => {
  await box.send(formRequest())
  await eventually('the lead is processed', async () =>
    /leads<\/th><td class="value">1</.test((await owner.get('/a/acme/remove')).text),
  )
  const { text } = await owner.get('/a/acme/remove')
  expect(text).toMatch(/Pages<\/th><td class="value">1</)
  expect(text).not.toContain('>Images<')
  expect(text).toContain('This box makes no backups')
  expect(text).toMatch(/Users<\/th><td class="value">1, who lose/)
  expect(text).toContain('href="/a/acme/leads.csv"')
  const wrong = await owner.send('POST', '/a/acme/remove', { handle: 'acne' })
  expect(wrong.text).toContain('Nothing was removed')
  expect((await box.send(page)).status).toBe(200)
})

test('with the handle the account goes, and the audit log says who did so', async () => {
  const removed = await owner.send('POST', '/a/acme/remove', { handle: 'acme' })
  expect([removed.status, removed.headers.get('location')]).toEqual([303, '/'])
  await becomesLive(box, page, { status: 404 })
  expect((await owner.get('/a/acme')).status).toBe(404)
  expect((await owner.get('/audit?q=account.remove')).text).toContain('acme')
})
