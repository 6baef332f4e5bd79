// docs/splits.md, "Make a variant the page", by page and API.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { apiOf, refusalOf } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { becomesLive } from '../harness/publishing.ts'
import { visit } from '../harness/visits.ts'

const files = { 'pages/launch.html': 'old', 'pages/launch-b.html': 'new' }
const splits = [{ page: 'launch', variants: [{ name: 'b', page: 'launch-b', share: 1 }] }]

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  const sites = ['acme', 'bold'].map((account) => aSite({ account, files, splits }))
  box = await Box.start(sites, { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

/** Declared programs get the page itself. */
const pageItself = (account: string) => visit('/launch', { account, headers: { 'user-agent': 'curl/8.5.0' } })

test('a page’s page has a button for each variant, which makes it the page', async () => {
  const { text } = await owner.get('/a/acme/pages/launch')
  expect(text).toContain('Keep b</button>')
  expect(text).toContain('">Keep a<span class="unseen">: remove the split in Settings</span></a>')
  // Nobody has visited either variant.
  expect(text.match(/<td class="number" data-label="Conversion">–<\/td>/g)).toHaveLength(2)
  expect(text.match(/<td class="number" data-label="Share">\d+%<\/td>/g)).toHaveLength(2)
  const seen = /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? ''
  await owner.send('POST', '/a/acme/pages/launch', { do: 'promote', variant: 'b', seen })
  await becomesLive(box, pageItself('acme'), { status: 200, text: 'new' })
  const after = (await owner.get('/a/acme/pages/launch')).text
  expect(after).toContain('remove the page&#39;s [[splits]] and copy pages/launch-b.html')
  expect(after).not.toContain('ends the test')
  expect((await owner.get('/audit?q=page.promote')).text).toContain('launch')
})

test('a viewer sees the variants without buttons', async () => {
  const viewer = new ConsoleVisitor(box)
  await viewer.accept(
    await ConsoleVisitor.invite(box, ['viewer@agency.example', '--account', 'bold', '--role', 'viewer']),
  )
  const { text } = await viewer.get('/a/bold/pages/launch')
  expect(text).toContain('<td>b</td>')
  expect(text).not.toContain('ends the test')
  expect(text).not.toContain('Keep a')
})

test('the list of pages marks a split page and its variant', async () => {
  const { text } = await owner.get('/a/bold/pages')
  expect(text).toContain('<span class="mark plain">split</span>')
  expect(text).toContain('<span class="mark plain">variant b of /launch</span>')
  expect(text).toMatch(/variant b of .*?<td class="number" data-label="Views"><span class="soft">–<.*?<\/tr>/s)
})

test('a page with variants has the figures of each, and what they say by now', async () => {
  const { text } = await owner.get('/a/bold/pages/launch')
  expect(text).toMatch(
    /<dt>Views in 30 days<\/dt>.*<h2>Variants<\/h2><p class="said"><strong>Too few to tell\.<\/strong> 0 visits in the last 30 days; each variant needs 100\.<\/p>\s*<div class="stacks">/s,
  )
  const variant = (await owner.get('/a/bold/pages/launch-b')).text
  expect(variant).toContain('under <a href="/a/bold/pages/launch">/launch</a>, which has its figures.')
  expect(variant).not.toContain('Views in 30 days')
})

test('the API promotes what nobody has changed meanwhile', async () => {
  const call = apiOf(box, owner)
  const path = '/accounts/bold/pages/launch/promote'
  const late = await call('POST', path, { json: { variant: 'b' }, headers: { 'if-match': '"another-1"' } })
  expect([late.status, refusalOf(late)]).toEqual([412, 'changed_meanwhile'])
  const etagNow = async () => (await call('GET', '/accounts/bold/pages/launch/history')).headers.get('etag') ?? ''
  const etag = await etagNow()
  await box.apply(aSite({ account: 'bold', files: { ...files, 'pages/launch-b.html': 'newer' }, splits }))
  const unseen = await call('POST', path, { json: { variant: 'b' }, headers: { 'if-match': etag } })
  expect([unseen.status, refusalOf(unseen)]).toEqual([412, 'changed_meanwhile'])
  const { body } = await call('POST', path, { json: { variant: 'b' }, headers: { 'if-match': await etagNow() } })
  expect(body).toMatchObject({ account: 'bold', slug: 'launch', variant: 'b', from: 'launch-b', version: 2 })
  await becomesLive(box, pageItself('bold'), { status: 200, text: 'newer' })
  const again = await call('POST', path, { json: { variant: 'b' } })
  expect(again.status).toBe(409)
})
