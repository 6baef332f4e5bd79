// docs/script.md, "Page views", with pages that the browser itself prerenders before anybody looks at them.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { page } from './harness/front.ts'
import { pageWith } from './harness/pages.ts'
import { World } from './harness/world.ts'

const rules = JSON.stringify({ prerender: [{ source: 'list', urls: ['/next'], eagerness: 'immediate' }] })

/** Lets the browser prerender `/next`, and goes there when the test says so. */
const start = `<!doctype html><title>Start</title>
  <script type="speculationrules">${rules}</script>
  <script>fetch('https://www.acme.test/go', { mode: 'no-cors' }).then(() => { location.href = '/next' })</script>`

/** Says so when everything that the script sends of its own accord would have left, were the page looked at. */
const next = (scriptFrom: string): string => {
  const ripe = "fetch('https://www.acme.test/ripe?' + document.prerendering, { mode: 'no-cors' })"
  const head = `<script>
    svcConsent = true
    svc = function () { (svc.q = svc.q || []).push(arguments) }
    svc('track', 'prepared')
    setTimeout(() => ${ripe}, 3000)
  </script>`
  return pageWith({ scriptFrom, head })
}

describe.skipIf(!hasChromium)('a page that the browser prerenders', () => {
  let world: World

  beforeAll(async () => {
    const files = { 'pages/start.html': start, 'pages/next.html': next('') }
    world = await World.start([aSite({ files })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const batches = () => world.front.seen('POST', '/_svc/e')
  const sent = () => batches().flatMap(({ body }) => JSON.parse(body).events)

  test.each([
    ['of another site', 'https://www.acme.test'],
    ['of the box', 'https://go.acme.test'],
  ])('%s sends nothing, and when it is shown, one view and what waited', async (_, site) => {
    const { promise: shown, resolve: goOn } = Promise.withResolvers<void>()
    world.front.put('https://www.acme.test/start', start)
    world.front.put('https://www.acme.test/next', next('https://go.acme.test'))
    world.front.put('https://www.acme.test/ripe', '')
    world.front.put('https://www.acme.test/go', () => shown.then(() => page('')))
    world.openUnwatched(`${site}/start`)
    await eventually('it was prerendered for a while', async () =>
      world.front.seen('GET', '/ripe').some(({ path }) => path === '/ripe?true'),
    )
    expect(sent()).toEqual([])
    goOn()
    await eventually('it was sent', async () => sent().length === 2)
    expect(
      sent()
        .map(({ event, properties }) => [event, properties.url])
        .sort(),
    ).toEqual([
      ['$pageview', `${site}/next`],
      ['prepared', `${site}/next`],
    ])
    expect(world.front.seen('GET', '/next').map(({ headers }) => headers.get('sec-purpose'))).toEqual([
      'prefetch;prerender',
    ])
    await eventually('it is stored', async () => batches().every(({ status }) => status === 202))
    const views = (await world.box.events()).filter(({ properties }) => properties.path === '/next')
    expect(views.filter(({ event }) => event === '$pageview').map(({ origin }) => origin)).toContain('client')
    expect(views.map(({ origin }) => origin)).not.toContain('edge')
  })
})
