// docs/previews.md, "Whose origin a page has": no page that one account previews reaches what another's keeps in the browser.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { World } from './harness/world.ts'

const siteOf = (account: string) =>
  aSite({
    account,
    files: {
      'pages/draft.html': `<!doctype html><title>Draft of ${account}</title><h1>${account}</h1>`,
      'img/drawing.svg':
        '<svg xmlns="http://www.w3.org/2000/svg"><script>document.documentElement.id = "ran"</script><rect onload="document.documentElement.id = \'ran\'"/></svg>',
    },
    previews: ['pages/draft.html'],
  })

/** Leaves the name wherever a page can. */
const leave = (page: Page, name: string) =>
  page.evaluate(async (name) => {
    const tries = [
      () => localStorage.setItem('of', name),
      () => sessionStorage.setItem('of', name),
      // biome-ignore lint/suspicious/noDocumentCookie: as any page does.
      () => (document.cookie = `of=${name}; Path=/; Secure`),
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open(name)
          opening.onsuccess = resolve
          opening.onerror = resolve
        }),
      () => caches.open(name),
    ]
    // A sandboxed page is refused all of these.
    for (const attempt of tries) await Promise.try(attempt).catch(() => {})
  }, name)

/** Everything that the page finds in the same places. */
const found = (page: Page) =>
  page.evaluate(async () => {
    const looks: (() => unknown)[] = [
      () => localStorage.getItem('of') ?? '',
      () => sessionStorage.getItem('of') ?? '',
      () => document.cookie,
      async () => (await indexedDB.databases()).map(({ name }) => name).join(),
      async () => (await caches.keys()).join(),
    ]
    const all = await Promise.all(looks.map((look) => Promise.try(look).catch(() => 'closed')))
    return all.join('|')
  })

/** What a page learns of a window that it opened at the address. */
async function opened(page: Page, url: string): Promise<string[]> {
  const popup = page.context().waitForEvent('page')
  await page.evaluate((url) => {
    Object.assign(globalThis, { opened: window.open(url) })
  }, url)
  await (await popup).waitForLoadState('load')
  return page.evaluate(() => {
    const other = (globalThis as unknown as { opened: Window }).opened
    const looks = [() => other.document.title, () => other.localStorage.length, () => other.location.href]
    return looks.map((look) => {
      try {
        return String(look())
      } catch {
        return 'closed'
      }
    })
  })
}

const isolations = { 'sandboxes on the preview host': false, 'subdomains of the preview host': true }

describe.skipIf(!hasChromium).each(Object.entries(isolations))('previews in %s', (_where, subdomains) => {
  let world: World

  beforeAll(async () => {
    world = await World.start([siteOf('acme'), siteOf('bold')], { server: { preview_subdomains: subdomains } })
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const addressOf = async (account: string, ...what: string[]) =>
    (await world.box.run(['preview', account, ...what])).stdout.trim()
  const draft = (account: string) => addressOf(account, 'page', 'draft')

  test('find nothing that another account’s page has left in the browser', async () => {
    const visitor = await world.visitor()
    await leave(await visitor.open(await draft('acme')), 'acme')
    expect(await found(await visitor.open(await draft('bold')))).not.toContain('acme')
  })

  test('find nothing that was left under the origin of the test page, and leave nothing there', async () => {
    const visitor = await world.visitor()
    await leave(await visitor.open(await addressOf('acme', 'test')), 'test')
    const page = await visitor.open(await draft('bold'))
    expect(await found(page)).not.toContain('test')
    await leave(page, 'bold')
    expect(await found(await visitor.open(await addressOf('acme', 'test')))).not.toContain('bold')
  })

  test('do not reach into another account’s window, nor into the test page', async () => {
    const page = await (await world.visitor()).open(await draft('acme'))
    const closed = ['closed', 'closed', 'closed']
    expect(await opened(page, await draft('bold'))).toEqual(closed)
    expect(await opened(page, await addressOf('bold', 'test'))).not.toContain('Test page of The bold studio')
  })

  test('run no script of an SVG that is opened by itself', async () => {
    const page = await (await world.visitor()).open(await addressOf('acme', 'img', 'drawing.svg'))
    expect(await page.evaluate(() => [document.documentElement.localName, document.documentElement.id])).toEqual([
      'svg',
      '',
    ])
  })

  test(`${subdomains ? 'keep' : 'have no place for'} what they store themselves`, async () => {
    const visitor = await world.visitor()
    await leave(await visitor.open(await draft('acme')), 'acme')
    const again = await found(await visitor.open(await draft('acme')))
    expect(again).toBe(subdomains ? 'acme||of=acme|acme|acme' : 'closed|closed|closed|closed|closed')
  })
})

test.skipIf(!hasChromium)('a published SVG runs no script when it is opened by itself', async () => {
  const world = await World.start([siteOf('acme')])
  const page = await (await world.visitor()).open('https://go.acme.test/_svc/img/drawing.svg')
  expect(await page.evaluate(() => [document.documentElement.localName, document.documentElement.id])).toEqual([
    'svg',
    '',
  ])
  await world.stop()
})
