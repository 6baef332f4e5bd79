// docs/previews.md, as a client sees it: the page with its images, in the version that was named.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { visit } from '../harness/visits.ts'
import { hasChromium } from './harness/chromium.ts'
import { isTooWide } from './harness/looks.ts'
import { World } from './harness/world.ts'

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>'

const siteOf = (heading: string) =>
  aSite({
    files: {
      'pages/draft.html': `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Draft</title><style>div{background:url(/_svc/img/tile.svg)}</style><h1>${heading}</h1><img alt="A drawing" src="/_svc/img/drawing.svg"><div>Text</div><a href="/_svc/file/sheet.pdf">Sheet</a></html>`,
      'img/drawing.svg': drawing,
      'img/tile.svg': drawing,
      'files/sheet.pdf': 'sheet',
    },
    previews: ['pages/draft.html', 'img/drawing.svg', 'img/tile.svg', 'files/sheet.pdf'],
  })

/** What the page asks for beside itself, by the origin that it has. */
const asked = {
  'a sandbox': { subdomains: false, paths: ['/_preview/img/', '/_preview/img/', '/_preview/file/'] },
  'an origin of its account': {
    subdomains: true,
    paths: ['/_svc/img/drawing.svg', '/_svc/img/tile.svg', '/_svc/file/sheet.pdf'],
  },
}

describe.skipIf(!hasChromium).each(Object.entries(asked))('a page preview in %s', (_origin, { subdomains, paths }) => {
  let world: World

  beforeAll(async () => {
    world = await World.start([siteOf('First')], { server: { preview_subdomains: subdomains } })
    await world.box.apply(siteOf('Second'))
    const address = new URL((await world.box.run(['preview', 'acme', 'page', 'draft'])).stdout.trim())
    const shown = visit(address.pathname + address.search, { host: 'preview.test' })
    await eventually('the second version is shown', async () => (await world.box.send(shown)).text.includes('Second'))
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  async function open(...options: string[]): Promise<Page> {
    const { stdout } = await world.box.run(['preview', 'acme', 'page', 'draft', ...options])
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
    return (await world.visitor(phone)).open(stdout.trim())
  }

  test.each([
    ['the current version', [], 'Second'],
    ['the version that was named', ['--version', '1'], 'First'],
  ])('shows %s on a phone, with its images and files', async (_what, options, heading) => {
    const page = await open(...options)
    expect(await page.getByRole('heading').textContent()).toBe(heading)
    expect(await page.getByAltText('A drawing').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Sheet' }).click()
    expect((await download).suggestedFilename()).toBe('sheet.pdf')
    const [, ...beside] = world.front.seen('GET', '/')
    expect(beside.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const [i, { path }] of beside.entries()) expect(path).toStartWith(paths[i] ?? '')
  })

  test('leaves no cookie and no record', async () => {
    const page = await open()
    expect(await page.context().cookies()).toEqual([])
    expect(await world.box.events()).toEqual([])
  })

  test('that was cut short says so on a phone', async () => {
    const page = await open()
    await page.goto(page.url().slice(0, -1))
    await page.getByRole('heading', { name: 'This preview link does not work' }).waitFor()
    expect(await isTooWide(page)).toBe(false)
  })
})
