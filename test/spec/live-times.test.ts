// docs/site-folder.md, `live_from` and `live_until`.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventually } from '../harness/eventually.ts'
import { visit } from '../harness/visits.ts'

const timezone = 'Asia/Kathmandu'
const aheadMs = (5 * 60 + 45) * 60_000

/** An instant as its clocks show it, in whole seconds. */
const wallTime = (instant: number): string =>
  new Date(instant + aheadMs).toISOString().slice(0, 'YYYY-MM-DD HH:MM:SS'.length).replace('T', ' ')

const hourMs = 3_600_000
const now = Date.now()
const [before, after] = [wallTime(now - hourMs), wallTime(now + hourMs)]

const site = (overrides: Partial<ASite> = {}): ASite =>
  aSite({
    timezone,
    home: 'coming',
    contact: 'hello@acme.test',
    files: Object.fromEntries(
      ['coming', 'open', 'over', 'replaced', 'split'].map((slug) => [`pages/${slug}.html`, slug]),
    ),
    pages: [
      { slug: 'coming', live_from: after },
      { slug: 'open', live_from: before, live_until: after },
      { slug: 'over', live_until: before },
      { slug: 'replaced', live_from: after },
    ],
    redirects: [{ from: '/replaced', to: '/open' }],
    splits: [{ page: 'split', variants: [{ name: 'b', page: 'over', share: 100 }] }],
    ...overrides,
  })

let box: Box

beforeAll(async () => {
  box = await Box.start([site()])
}, boxStartMsMax)

afterAll(() => box.stop())

const get = (path: string) => box.send(visit(path))

describe('a page with times', () => {
  test('is there within them', async () => {
    const { status, text } = await get('/open')
    expect({ status, text }).toEqual({ status: 200, text: 'open' })
  })

  test.each(['/coming', '/over', '/'])('is not there outside them: %s', async (path) => {
    const { status, text } = await get(path)
    expect(status).toBe(404)
    expect(text).toContain('hello@acme.test')
    expect(text).not.toContain('href="/"')
  })

  test('leaves its address to a redirect while it is not there', async () => {
    const { status, headers } = await get('/replaced')
    expect([status, headers.get('location')]).toEqual([302, '/open'])
  })

  test('has no final slash while it is not there', async () => {
    expect((await get('/open/')).headers.get('location')).toBe('/open')
    expect((await get('/over/')).status).toBe(404)
  })

  test('can be previewed at any time', async () => {
    const { stdout } = await box.run(['preview', 'acme', 'page', 'coming'])
    const { hostname, pathname, search } = new URL(stdout.trim())
    const answer = await box.send({ ...visit(pathname + search), host: hostname })
    expect(answer.text).toBe('coming')
  })

  test('is shown by a split only within them', async () => {
    expect((await get('/split')).text).toBe('split')
  })

  test.each([
    ['that takes it away now is harm', { slug: 'open', live_from: after }, ['go.acme.test/open']],
    ['that is over is harm', { slug: 'open', live_until: before }, ['go.acme.test/open']],
    ['that ends later is none', { slug: 'open', live_until: after }, []],
  ])('may get a time: one %s', async (_, page, subjects) => {
    const dir = join(box.dir, 'planned')
    writeSite(
      dir,
      site({ pages: [page, ...(site().pages ?? []).filter(({ slug }) => slug !== 'open')], redirects: [] }),
    )
    const { harm } = JSON.parse((await box.run(['apply', dir, '--dry-run', '--json'])).stdout)
    expect(harm.map(({ kind, subject }: { kind: string; subject: string }) => [kind, subject])).toEqual(
      subjects.map((subject) => ['page_offline', subject]),
    )
  })

  test('comes and goes to the second, with nothing published meanwhile', async () => {
    const turn = Math.ceil(Date.now() / 1000 + 2) * 1000
    const pages = [
      { slug: 'over', live_from: wallTime(turn) },
      { slug: 'open', live_until: wallTime(turn) },
    ]
    await box.apply(site({ pages, redirects: [] }))
    await eventually('a page has come', async () => (await get('/over')).status === 200)
    expect(Date.now()).toBeGreaterThanOrEqual(turn)
    await eventually('a page has gone', async () => (await get('/open')).status === 404)
    expect(Date.now()).toBeGreaterThanOrEqual(turn)
    expect((await get('/split')).text).toBe('over')
  })
})
