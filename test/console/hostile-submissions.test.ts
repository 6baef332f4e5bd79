// Whatever visitors send is text: on every page that shows it, and in every table that is downloaded.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import naughtyStrings from 'big-list-of-naughty-strings'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { cookieOf } from '../harness/identity.ts'
import { visit } from '../harness/visits.ts'

/** Such as the list has not: controls of direction and of terminals, and markup of our own pages. */
const ours = [
  'gpj.\u202eexe',
  '\u2069\u2069\u202dclosed',
  '\u0000\u001b]0;title\u0007',
  '</bdi></li></ol><form action=https://evil.example><button>Done</button></form>',
  '</template><script>alert(1)</script>',
  '" onfocus="alert(1)" autofocus="',
  'javascript:alert(1)//https://x.example',
]
const strings = [...naughtyStrings, ...ours]
const perSubmission = 8

let box: Box
let owner: ConsoleVisitor
let ids: string[]
beforeAll(async () => {
  const site = aSite({ forms: [aForm()], files: { 'pages/page1.html': '<!doctype html><title>Page</title>' } })
  box = await Box.start([site], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
  const headers = { cookie: cookieOf(await box.send(visit('/page1'))) }
  for (let from = 0; from < strings.length; from += perSubmission) {
    const some = strings.slice(from, from + perSubmission)
    const fields = Object.fromEntries(some.map((text, at) => [at % 2 === 0 ? `field${at}` : text.slice(0, 60), text]))
    await box.send(formRequest({ headers, fields: { ...fields, name: some[0], email: `p${from % 7}@example.test` } }))
  }
  const traits = { email: 'p0@example.test', name: ours[3], city: ours[4], '<i>trait</i>': ours[0] }
  const properties = { [ours[5] ?? '']: ours[3], to: ours[6] }
  await box.send(
    eventRequest({
      headers,
      events: [
        { event: '$identify', traits },
        { event: ours[4]?.slice(0, 40), properties },
      ],
    }),
  )
  await box.send(formRequest({ headers, fields: { email: 'p0@example.test', note: 'the last' } }))
  const lines = await box.submissions()
  ids = lines.map(({ submissionId }) => submissionId)
}, boxStartMsMax)
afterAll(() => box.stop())

/** What a page is made of: elements and attributes as a parser finds them, and its text. */
async function partsOf(
  page: string,
): Promise<{ elements: string[]; attributes: string[]; links: string[]; text: string }> {
  const elements = new Set<string>()
  const attributes = new Set<string>()
  const links = new Set<string>()
  let text = ''
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      elements.add(element.tagName)
      for (const [name, value] of element.attributes) {
        attributes.add(name)
        if (['href', 'src', 'action'].includes(name)) links.add(value ?? '')
      }
    },
    text(chunk) {
      text += chunk.text
    },
  })
  await rewriter.transform(new Response(page)).text()
  return { elements: [...elements].sort(), attributes: [...attributes].sort(), links: [...links], text }
}

/** Of the console's own pages, within `main`. */
const elementsOfOurs =
  /^(a|bdi|body|br|button|code|details|dialog|div|form|h1|h2|head|header|html|input|kbd|label|li|link|main|meta|nav|ol|option|p|script|section|select|small|span|strong|summary|table|tbody|td|template|textarea|th|thead|time|title|tr|ul)$/
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

async function assertHarmless(path: string): Promise<string> {
  const { status, text: page } = await owner.get(path)
  expect([path, status]).toEqual([path, 200])
  const [, main = '', ...more] = page.split(/(?=<main)|(?<=<\/main>)/)
  expect([path, more.length]).toEqual([path, 1])
  const { elements, attributes, links, text } = await partsOf(main)
  expect([path, elements.filter((name) => !elementsOfOurs.test(name))]).toEqual([path, []])
  expect([path, attributes.filter((name) => name.startsWith('on') || name === 'style')]).toEqual([path, []])
  expect([
    path,
    links.filter((link) => !/^\/(?!\/)|^#|^mailto:[\w.%~-]+@[a-z0-9.-]+$|^tel:\+?\d+$/.test(link)),
  ]).toEqual([path, []])
  expect([path, page.match(/<script(?! src="\/_\/(?:console|leads)\.js" defer>)/g)]).toEqual([path, null])
  expect([path, controls.test(text.replaceAll(/[\t\r\n]/g, ''))]).toEqual([path, false])
  expect(page.length).toBeLessThan(100_000)
  return page
}

describe('what visitors sent is text', () => {
  test('on every page of the inbox', async () => {
    let shown = 0
    for (let path: string | null = '/a/acme?status=all'; path !== null; ) {
      const page: string = await assertHarmless(path)
      shown += page.match(/<li data-id="[^"]+" data-state="new"/g)?.length ?? 0
      const [, older] = /href="([^"]+)">Older/.exec(page) ?? []
      path = older === undefined ? null : older.replaceAll('&amp;', '&')
    }
    expect(shown).toBeGreaterThanOrEqual(ids.length)
  })

  test('on every submission’s page', async () => {
    for (const id of ids) await assertHarmless(`/a/acme/s/${id}`)
  })

  test('on persons’ pages', async () => {
    await assertHarmless('/a/acme/persons')
    const { items } = JSON.parse((await owner.get('/api/v1/accounts/acme/persons')).text)
    expect(items).toHaveLength(7)
    for (const { personId } of items) {
      await assertHarmless(`/a/acme/persons/${personId}`)
      await assertHarmless(`/a/acme/persons/${personId}/erase`)
    }
  })

  test.each(strings.map((text, at) => [at, text] as const).filter(([at]) => at % 23 === 0))(
    'when it is searched for (%i)',
    async (_, text) => {
      await assertHarmless(`/a/acme?q=${encodeURIComponent(text.slice(0, 200).toWellFormed())}`)
    },
  )

  test.each([
    '/api/v1/accounts/acme/submissions?format=csv&limit=1000',
    '/api/v1/accounts/acme/export/submissions?format=csv',
    '/api/v1/accounts/acme/export/events?format=csv',
    '/api/v1/accounts/acme/persons?format=csv',
  ])('and no formula in %s', async (path) => {
    const { text } = await owner.get(path)
    const cells = cellsOf(text)
    expect(cells.length).toBeGreaterThan(20)
    const formulas = cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && !/^[+-]?[\d ().e+/-]+$/i.test(cell))
    expect(formulas).toEqual([])
  })
})

/** Cells of CSV (RFC 4180). */
const cellsOf = (text: string): string[] =>
  [...text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  )
