// What a button of a page changes in `site.toml`: its plan, and the text that is published once somebody has seen that.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { revisionOf } from '../../src/lib/revision.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { type ConsoleAnswer, ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'

const origin = 'https://new.acme.test'
const siteToml = `# Acme: ask Zoë before you change this.
account = "acme"
name = "Acme"
domains = ["go.acme.test"]
origins = [
  "https://www.acme.test", # the shop
]

[[forms]]
id = "closed01" # of last summer
name = "Summer"
registered = false
`

let box: Box
let owner: ConsoleVisitor
let viewer: ConsoleVisitor
let editor: ConsoleVisitor
beforeAll(async () => {
  box = await Box.start([aSite(), aSite({ account: 'long' })], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
  viewer = await withRole('viewer')
  editor = await withRole('editor')
  for (const account of ['acme', 'long']) await box.send(formRequest({ account, headers: { origin } }))
  await eventually('the refusals are counted', async () => {
    const pages = await Promise.all(['acme', 'long'].map((account) => owner.get(`/a/${account}/refusals`)))
    return pages.every(({ text }) => text.includes('new.acme.test'))
  })
  await apply('long', `${siteToml.replace('"acme"', '"long"').replace('go.acme', 'go.long')}# ${'x'.repeat(500_000)}\n`)
}, boxStartMsMax)
afterAll(() => box.stop())

async function withRole(role: string): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(box)
  const argv = [`${role}@agency.example`, '--account', 'acme', '--role', role]
  await visitor.accept(await ConsoleVisitor.invite(box, argv))
  return visitor
}

async function apply(account: string, text: string): Promise<void> {
  const folder = join(box.dir, 'sites', account)
  writeFileSync(join(folder, 'site.toml'), text)
  const { status, stderr } = await box.run(['apply', folder, '--accept', 'all', '--prune'])
  if (status !== 0) throw new Error(stderr)
}

const post = (fields: Record<string, string>, visitor = owner) => visitor.send('POST', '/a/acme/settings', fields)

const plain = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const textIn = ({ text }: ConsoleAnswer): string => plain(/<textarea id="text"[^>]*>\n([^<]*)/.exec(text)?.[1] ?? '')

/** The fields of the form below a plan, as a browser sends them: with lines that end in CR LF. */
const shownIn = (page: ConsoleAnswer): Record<string, string> => {
  const hidden = page.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)
  const fields = [['text', textIn(page)], ...Array.from(hidden, ([, name = '', value = '']) => [name, plain(value)])]
  return Object.fromEntries(fields.map(([name = '', value = '']) => [name, value.replaceAll(/\r?\n/g, '\r\n')]))
}

async function keptText(): Promise<string> {
  const { text } = await owner.get('/a/acme/settings')
  return textIn({ text, status: 200, headers: new Headers() })
}

const changes = [
  [
    'origin',
    'refusals',
    origin,
    '"https://www.acme.test", # the shop\n',
    `"https://www.acme.test", # the shop\n  "${origin}",\n`,
  ],
  ['form', 'forms', 'closed01', 'registered = false', 'registered = true'],
  [
    'domain',
    'domains',
    ' https://Shop.Acme.test/now ',
    'domains = ["go.acme.test"]',
    'domains = ["go.acme.test", "shop.acme.test"]',
  ],
  [
    'mail',
    'deliveries',
    'a@acme.example, b@acme.example,',
    'registered = false\n',
    'registered = false\n\n[[deliveries]]\nname = "mail"\nkind = "mail"\nto = ["a@acme.example", "b@acme.example"]\n',
  ],
] as const

describe.each([
  ['LF', siteToml],
  ['CR LF', siteToml.replaceAll('\n', '\r\n')],
])('in a text whose lines end in %s', (_, before) => {
  test.each(changes)('%s changes its line alone', async (change, path, value, from, to) => {
    await apply('acme', before)
    const page = await post({ change, value })
    expect(page.text).toContain('<h1>What would change</h1>')
    const after = siteToml.replace(from, to)
    expect(after).not.toBe(siteToml)
    expect(textIn(page).replaceAll('\r\n', '\n')).toBe(after)
    const [, changed = ''] = /data-changed="([^"]*)"/.exec(page.text) ?? []
    const line = siteToml.slice(0, siteToml.indexOf(from)).split('\n').length
    expect(Number(changed.split(' ')[0])).toBeWithin(line, line + 2)
    expect((await keptText()).replaceAll('\r\n', '\n')).toBe(siteToml)
    expect(page.text).toContain(`<a href="/a/acme/${path}">Discard the changes</a>`)
    const { status, headers } = await post(shownIn(page))
    expect([status, headers.get('location')]).toEqual([303, `/a/acme/${path}`])
    expect((await owner.get(`/a/acme/${path}`)).text).toContain('Saved and published.')
    expect(await keptText()).toBe(before === siteToml ? after : after.replaceAll('\n', '\r\n'))
  })
})

test('what site.toml does not take is refused above the text', async () => {
  await apply('acme', siteToml)
  const { status, text } = await post({ change: 'origin', value: 'no origin' })
  expect(status).toBe(422)
  expect(text).toContain('<h1>Not saved</h1>')
  expect(text).toContain('<code>origins</code>: its scheme is missing')
})

test('whoever leaves the plan is asked only for what they have typed', async () => {
  await apply('acme', siteToml)
  const page = await post({ change: 'origin', value: origin })
  expect(page.text).toContain('<dt title="origins">Other sites that may send</dt>')
  expect(page.text).toContain('data-unsaved="no"')
  const { text } = shownIn(page)
  const typed = await post({ ...shownIn(page), text: `${text}# mine\n` })
  expect(typed.text).toContain('<h1>What would change</h1>')
  expect(typed.text).toContain('data-unsaved="yes"')
  expect(typed.text).toContain('<a href="/a/acme/refusals">Discard the changes</a>')
})

test('what has no place in the text leads to the text', async () => {
  const { status, text } = await post({ change: 'nothing', value: 'x' })
  expect(status).toBe(422)
  expect(text).toContain('This cannot be changed here. Edit site.toml instead.')
  // Only its own forms open it.
  expect(text).toContain('<details class="more" id="tracking-key"><summary>')
})

test('nobody changes a text without the right to publish', async () => {
  const sent = { change: 'origin', value: origin }
  expect((await post(sent, viewer)).status).toBe(403)
  expect((await editor.send('POST', '/a/long/settings', sent)).status).toBe(404)
})

test('what an editor may not publish has a plan without a button that does', async () => {
  await apply('acme', siteToml)
  const page = await post({ change: 'mail', value: 'a@elsewhere.example' }, editor)
  expect(page.text).toContain('have an admin of the account or an owner publish it')
  expect(page.text).not.toMatch(/Save and publish|until you publish|Before you publish/)
  const pressed = { ...shownIn(page), planned: revisionOf(textIn(page)) }
  expect((await post(pressed, editor)).status).toBe(403)
  expect(await keptText()).toBe(siteToml)
  expect((await post(pressed)).status).toBe(303)
})

test.each(['https://GO.acme.test:8443/lp', 'go.acme.test/lp', 'go.acme.test.'])(
  'the domain %s is there already',
  async (typed) => {
    await apply('acme', siteToml)
    expect(textIn(await post({ change: 'domain', value: typed }))).toBe(siteToml)
  },
)

test('a domain in another script is the one that is there in its own', async () => {
  const text = siteToml.replace('"go.acme.test"', '"bücher.acme.test"')
  await apply('acme', text)
  expect(textIn(await post({ change: 'domain', value: 'https://xn--bcher-kva.acme.test/' }))).toBe(text)
})

describe('an origin that was refused', () => {
  test('is allowed by a button', async () => {
    await apply('acme', siteToml)
    const { text } = await owner.get('/a/acme/refusals')
    expect(text).toContain(`action="/a/acme/settings"><input type="hidden" name="change" value="origin">`)
    expect(text).toContain(
      `<button name="value" value="${origin}">Allow this site<span class="unseen"> <bdi>${origin}</bdi></span></button>`,
    )
  })

  test('has no button for who may not publish', async () => {
    const { text } = await viewer.get('/a/acme/refusals')
    expect(text).toContain('ask a colleague who may publish to allow it here')
    expect(text).not.toContain('name="change"')
  })

  test('is written into the folder where the text is too long to be changed here', async () => {
    const { text } = await owner.get('/a/long/refusals')
    expect(text).toContain(`<code><bdi>&quot;${origin}&quot;</bdi></code> to <code>origins</code>`)
    expect(text).toContain('href="/a/long/settings?key=origins#site-toml">Open site.toml</a>')
    expect(text).not.toContain('name="change"')
  })
})

describe('a form that site.toml closes', () => {
  test('is opened by a button', async () => {
    await apply('acme', siteToml)
    const { text } = await owner.get('/a/acme/forms/closed01')
    expect(text).toMatch(/name="change" value="form">.*<button name="value" value="closed01">Reopen</)
  })

  test('has no button for who may not publish', async () => {
    expect((await viewer.get('/a/acme/forms/closed01')).text).not.toContain('name="change"')
  })
})

test('a destination has a field for another address', async () => {
  await apply('acme', siteToml)
  const empty = (await owner.get('/a/acme/deliveries')).text
  expect(empty).toMatch(
    /<section class="empty">.*name="change" value="mail">.*<input id="mail" name="value" type="email"/s,
  )
  await apply('acme', `${siteToml}[[deliveries]]\nname = "mail"\nkind = "mail"\nto = ["a@acme.example"]\n`)
  expect((await owner.get('/a/acme/deliveries')).text).toContain('href="?new=1">Add an email address</a>')
  expect((await owner.get('/a/acme/deliveries?new=1')).text).toContain('name="change" value="mail">')
  const planned = textIn(await post({ change: 'mail', value: 'b@acme.example' }))
  expect(planned).toEndWith('\n[[deliveries]]\nname = "mail-2"\nkind = "mail"\nto = ["b@acme.example"]\n')
  for (const visitor of [viewer, editor])
    for (const path of ['', '?new=1'])
      expect((await visitor.get(`/a/acme/deliveries${path}`)).text).not.toMatch(/name="change"|>Add an email address</)
})
