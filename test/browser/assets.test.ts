// docs/site-folder.md, "Assets": what a page is made of arrives in a browser, on the domain and in both kinds of preview.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { World } from './harness/world.ts'

/** A font of one letter, an A that is a box. */
const font = Buffer.from(
  'd09GMgABAAAAAAEMAAoAAAAAAlgAAADFAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAANAoYNgE2AiQDBgsGAAQgBVQHIBu9AUieBXY7BzV1aOyJuaI/4WuGCKpl6wmfIpQ/TXlsMmqNQuNFdKAcCIO+b4zsxZjGkSFHKaWUZMBZbBAeSF4ecK3KTIk9seLUiAmwAQdBy7zpiSpHZKGFATzY4AkXUJMfAMAEEoVbJXCrTWgt8DTPHTZ/CQAJGoHGAtCA6Fic2tsYCAQvb99vJ//XVX/we2cP5MhREgQ1zZEDkAMCACIHQCC1AAkAgHYvQCgESCulRG+Epe1KOjo/9+svqj3RjgppFTcIAA==',
  'base64',
)
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>'
const sprite = '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="dot"><rect width="40" height="30"/></symbol></svg>'
const scripted = (xmlns: string, name: string) =>
  `<${name} xmlns="${xmlns}"><script xmlns="${xmlns}">document.documentElement.id = "ran"</script></${name}>`

const files = {
  'pages/launch.html': `<!doctype html><html lang="en"><title>Launch</title>
<meta http-equiv="content-security-policy" content="default-src 'self'">
<link rel="stylesheet" href="../assets/css/site.css?v=2">
<script src="/assets/js/classic.js" defer></script>
<script type="module" src="../assets/js/main.mjs"></script>
<h1>A</h1><p>A</p><div class="far"></div><div class="root"></div><div class="hosted"></div>
<img alt="A drawing" src="assets/img/drawing.svg"><svg><use href="/assets/img/sprite.svg#dot"/></svg></html>`,
  'assets/css/site.css': `@import "more.css";
@font-face { font-family: Near; src: url(../fonts/box.woff2) }
@font-face { font-family: Root; src: url(/assets/fonts/box.woff2?root) }
h1 { font-family: Near } p { font-family: Root }
.far { height: 9px; background: url("../img/far (1).svg") }
.root { height: 9px; background: url(/assets/img/root.svg) }
.hosted { height: 9px; background: url(/_svc/img/hosted.svg) }`,
  'assets/css/more.css': 'h1 { color: rgb(1, 2, 3) }',
  'assets/fonts/box.woff2': font,
  'assets/img/drawing.svg': drawing,
  'assets/img/far (1).svg': drawing,
  'assets/img/root.svg': drawing,
  'assets/img/sprite.svg': sprite,
  'assets/img/scripted.svg': scripted('http://www.w3.org/2000/svg', 'svg'),
  'assets/scripted.xml': scripted('http://www.w3.org/1999/xhtml', 'html'),
  'assets/js/classic.js': 'document.documentElement.dataset.classic = "ran"',
  'assets/js/main.mjs': 'import { ran } from "./parts/part.js"\ndocument.documentElement.dataset.module = ran',
  'assets/js/parts/part.js': 'export const ran = "ran"',
  'img/hosted.svg': drawing,
}

const surfaces = {
  'on its domain': { previews: [], subdomains: false, isSandboxed: false },
  'in a sandbox': { previews: ['pages/launch.html'], subdomains: false, isSandboxed: true },
  'on the preview host of its account': { previews: Object.keys(files), subdomains: true, isSandboxed: false },
}

describe.skipIf(!hasChromium).each(Object.entries(surfaces))('a page %s', (_where, surface) => {
  const { previews, subdomains, isSandboxed } = surface
  let world: World

  beforeAll(async () => {
    world = await World.start([aSite({ files, previews })], { server: { preview_subdomains: subdomains } })
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const addressOf = async (what: string, name: string, path: string) =>
    previews.length === 0
      ? `https://go.acme.test${path}`
      : (await world.box.run(['preview', 'acme', what, name])).stdout.trim()

  test('has its stylesheets, scripts, fonts and pictures, under a strict policy of its own', async () => {
    const visitor = await world.visitor()
    const page = await visitor.open(await addressOf('page', 'launch', '/launch'))
    await page.evaluate(() => Promise.all([document.fonts.load('20px Near'), document.fonts.load('20px Root')]))
    const shown = await page.evaluate(() => ({
      ran: Object.keys(document.documentElement.dataset).sort(),
      colour: getComputedStyle(document.querySelector('h1') as Element).color,
      fonts: [...document.fonts].map(({ status }) => status),
      picture: document.querySelector('img')?.naturalWidth,
      sprite: document.querySelector('use')?.getBBox().width,
    }))
    expect(shown).toEqual({
      ran: ['classic', 'module'],
      colour: 'rgb(1, 2, 3)',
      fonts: ['loaded', 'loaded'],
      picture: 40,
      // docs/previews.md: browsers take a sprite from the page's own origin alone.
      sprite: isSandboxed ? 0 : 40,
    })
    const asked = world.front.seen('GET', '/')
    expect(asked.filter(({ status }) => status !== 200 && status !== 302)).toEqual([])
    for (const name of ['far%20(1).svg', 'root.svg', 'hosted.svg'])
      expect(asked.findLast(({ path }) => path.endsWith(name))?.status).toBe(200)
  })

  test.each(['img/scripted.svg', 'scripted.xml'])('runs no script of %s that is opened by itself', async (name) => {
    const page = await (await world.visitor()).open(await addressOf('asset', name, `/assets/${name}`))
    expect(await page.evaluate(() => [document.documentElement.localName, document.documentElement.id])).toEqual([
      name.endsWith('svg') ? 'svg' : 'html',
      '',
    ])
  })
})
