// docs/console.md, *Assets*: what the pages of an account are made of, and what none of them needs any more.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

const used = {
  'css/site.css':
    '@import "base.css"; @font-face { src: url("../fonts/My%20Font%20(1).woff2") } i { background: url(/assets/i.png) }',
  'css/base.css': 'b {}',
  'fonts/My Font (1).woff2': 'font',
  'i.png': 'picture',
  'js/main.mjs': 'import("./parts/" + name()); const name = () => "part.js"',
  'js/parts/part.js': 'new Worker(`/assets/worker.js`)',
  'worker.js': '',
  'draft.css': '',
  'missing.css': '',
  'größe.svg': '',
}
const unused = {
  'css/old.css': 'a { background: url(only-in-old.png) }',
  'css/only-in-old.png': 'picture',
  // Its name is part of another.
  'css/ite.css': '',
}
const files = {
  'pages/launch.html': `<link rel=stylesheet href=../assets/css/site.css?v=2><script src="/assets/js/main.mjs"></script><img src="../assets/gr%C3%B6%C3%9Fe.svg">`,
  'pages/draft.html': '<link rel=stylesheet href=../assets/draft.css>',
  'pages/404.html': '<link rel=stylesheet href=/assets/missing.css>',
  ...Object.fromEntries(Object.entries({ ...used, ...unused }).map(([path, text]) => [`assets/${path}`, text])),
}

const brokenPage = 'the only page'

let box: Box
let owner: ConsoleVisitor

beforeAll(async () => {
  const site = aSite({ files, previews: ['pages/draft.html', 'assets/draft.css'] })
  const large = aSite({
    account: 'large',
    files: {
      ...Object.fromEntries([1, 2, 3, 4].map((n) => [`pages/${n}.html`, 'x'.repeat(10_000_000)])),
      'assets/a.css': '',
    },
  })
  const broken = aSite({ account: 'broken', files: { 'pages/a.html': brokenPage, 'assets/a.css': '' } })
  box = await Box.start([site, large, broken], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

interface Listed {
  items: {
    path: string
    state: string
    byteCount: number
    used: boolean | null
    usedBy: string[] | null
    url: string
  }[]
}
const listed = async (query = '', account = 'acme'): Promise<Listed['items']> =>
  (JSON.parse((await owner.get(`/api/v1/accounts/${account}/assets${query}`)).text) as Listed).items
const paths = (items: Listed['items']) => items.map(({ path }) => path)

describe('the list of assets', () => {
  test('has each with its size, state and address', async () => {
    const items = await listed()
    expect(paths(items)).toEqual([...Object.keys(used), ...Object.keys(unused)].sort())
    expect(items.find(({ path }) => path === 'css/base.css')).toMatchObject({
      state: 'live',
      byteCount: 4,
      url: expect.stringMatching(/go\.acme\.test.*\/assets\/css\/base\.css$/),
    })
    expect(items.find(({ path }) => path === 'draft.css')).toMatchObject({
      state: 'preview',
      url: expect.stringContaining('/_preview/asset/'),
    })
  })

  test('names those that no page leads to, nor a stylesheet or script of one', async () => {
    expect(paths((await listed()).filter(({ used }) => used === false))).toEqual(Object.keys(unused).sort())
    expect(paths(await listed('?use=unused'))).toEqual(Object.keys(unused).sort())
  })

  test('names the pages that lead to each, also by way of a stylesheet', async () => {
    const pagesOf = new Map((await listed()).map(({ path, usedBy }) => [path, usedBy]))
    expect(pagesOf.get('css/base.css')).toEqual(['launch'])
    expect(pagesOf.get('draft.css')).toEqual(['draft'])
    expect(pagesOf.get('missing.css')).toEqual(['404'])
    expect(pagesOf.get('css/old.css')).toEqual([])
    const { text } = await owner.get('/a/acme/assets?q=base')
    expect(text).toContain('<a href="/a/acme/pages/launch">/launch</a>')
    expect((await owner.get('/a/acme/assets?q=missing')).text).toContain('404.html')
  })

  test('says of none that it is unused where the pages are too many to search', async () => {
    expect(await listed('', 'large')).toMatchObject([{ path: 'a.css', used: null }])
    expect(await listed('?use=unused', 'large')).toEqual([])
    expect((await owner.get('/a/large/assets')).text).toContain('<span class="soft">not known where</span>')
  })

  test('says of none that it is unused where the bytes of a page are missing', async () => {
    const sha256 = createHash('sha256').update(brokenPage).digest('hex')
    const stored = readdirSync(box.dir, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(sha256))
    rmSync(join(box.dir, stored ?? 'nothing'))
    expect((await listed('', 'broken')).map(({ used }) => used)).toEqual([null])
  })

  test('is shown in the console', async () => {
    const { text } = await owner.get('/a/acme/assets')
    expect(text).toContain('<td>css/site.css</td>')
    expect(text.match(/>not used<\/span>/g)).toHaveLength(Object.keys(unused).length)
    expect(text.match(/To remove a file that no page uses/g)).toHaveLength(1)
    expect((await owner.get('/a/acme/assets?q=base')).text).not.toContain('To remove')
    const viewer = new ConsoleVisitor(box)
    const argv = ['vi@agency.example', '--account', 'acme', '--role', 'viewer']
    await viewer.accept(await ConsoleVisitor.invite(box, argv))
    const seen = (await viewer.get('/a/acme/assets')).text
    expect([seen.includes('>not used</span>'), seen.includes('To remove')]).toEqual([true, false])
    expect((await owner.get('/a/acme/assets?use=unused')).text).not.toContain('<td>css/site.css</td>')
  })
})
