// docs/previews.md: which bytes an address shows, and what it says when it shows none.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { eventually } from '../harness/eventually.ts'
import { visit } from '../harness/visits.ts'

const host = 'preview.localhost'
const earlierMax = 20

const siteOf = (text: string) =>
  aSite({
    files: { 'pages/draft.html': text, 'img/draft.svg': `<svg><!--${text}--></svg>`, 'files/draft.txt': text },
    previews: ['pages/draft.html', 'img/draft.svg', 'files/draft.txt'],
  })

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  box = await Box.start([siteOf('first'), aSite({ account: 'bold' })])
  for (const text of ['second', 'third']) await box.apply(siteOf(text))
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

async function preview(what: string, id: string, ...options: string[]): Promise<string> {
  const { status, stdout, stderr } = await box.run(['preview', 'acme', what, id, ...options])
  if (status !== 0) throw new Error(stderr)
  const { pathname, search } = new URL(stdout.trim())
  return pathname + search
}

const open = (path: string) => box.send(visit(path, { host }))

describe('an address of a version', () => {
  test.each([
    ['page', 'draft', 'first'],
    ['img', 'draft.svg', '<svg><!--first--></svg>'],
    ['file', 'draft.txt', 'first'],
  ])('of a %s shows the exact bytes of that version', async (what, id, expected) => {
    const answer = await open(await preview(what, id, '--version', '1'))
    expect([answer.status, answer.text]).toEqual([200, expected])
  })

  test('goes on showing it when others are published, while one without a version shows the latest', async () => {
    const third = await preview('page', 'draft', '--version', '3')
    const latest = await preview('page', 'draft')
    await box.apply(siteOf('fourth'))
    await eventually('the latest is shown', async () => (await open(latest)).text === 'fourth')
    expect((await open(third)).text).toBe('third')
  })

  test.each([
    ['another version', (path: string) => path.replace('v=1', 'v=2')],
    ['the current version', (path: string) => path.replace('&v=1', '')],
  ])('cannot be changed into one of %s', async (_what, change) => {
    expect((await open(change(await preview('page', 'draft', '--version', '1')))).status).toBe(403)
  })

  test('lets its page have its images', async () => {
    const referer = `http://${host}${await preview('page', 'draft', '--version', '1')}`
    expect((await box.send(visit('/_svc/img/draft.svg', { host, headers: { referer } }))).status).toBe(200)
  })

  test('that was never published is refused by the command, which names those there are', async () => {
    const ran = await box.run(['preview', 'acme', 'page', 'draft', '--version', '99'])
    expect(ran).toMatchObject({ status: 1, stdout: '' })
    expect(ran.stderr).toContain('There is no version 99 of draft. These are stored: ')
  })

  test('that is no longer kept says so', async () => {
    const first = await preview('page', 'draft', '--version', '1')
    for (let n = 0; n <= earlierMax; n++) await box.apply(siteOf(`again ${n}`))
    await eventually('the first is forgotten', async () => (await open(first)).status !== 200)
    const answer = await open(first)
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('This version is no longer kept')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  })
})

describe('an address that shows nothing', () => {
  const expired = () => keys.previewPath(`/_preview/${keys.assetId('pages/draft.html')}`, { expiresInSeconds: -60 })

  test('says that it has expired, and when, where it was right', async () => {
    const answer = await open(expired())
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('This preview has expired')
    expect(answer.text).toMatch(/worked until \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC/)
  })

  test.each([
    ['cut short', (path: string) => path.slice(0, -1)],
    ['changed', (path: string) => path.replace(/exp=\d/, 'exp=2')],
    ['without its query', (path: string) => path.replace(/\?.*/, '')],
  ])('says that it is not right where it was %s, also after its time', async (_what, change) => {
    for (const path of [await preview('page', 'draft'), expired()]) {
      const answer = await open(change(path))
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('This preview link does not work')
      expect(answer.text).not.toContain('expired')
    }
  })
})

describe('the command', () => {
  test.each([
    ['without an id', ['preview', 'acme', 'page']],
    ['with a version that is no number', ['preview', 'acme', 'page', 'draft', '--version', 'latest']],
    ['with an id for the test page', ['preview', 'acme', 'test', 'draft']],
    ['with a version of the test page', ['preview', 'acme', 'test', '--version', '1']],
    ['with a key for a page', ['preview', 'acme', 'page', 'draft', '--key', 'svc_tk_x']],
  ])('%s is wrong usage', async (_what, argv) => {
    expect((await box.run(argv)).status).toBe(2)
  })
})
