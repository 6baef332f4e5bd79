// docs/publishing.md, "Warnings": what a folder's pages, stylesheets, goals and funnels name that will not be there.
import { describe, expect, test } from 'bun:test'
import { assert, asyncProperty, constantFrom, integer, record, uniqueArray } from 'fast-check'
import { hashAssets } from '../../src/site/asset-bytes.ts'
import { FolderReferences } from '../../src/site/folder-references.ts'
import { pageWarnings } from '../../src/site/page-warnings.ts'
import type { LeftBehind } from '../../src/site/plan.ts'
import { siteFaultLine } from '../../src/site/site-faults.ts'
import { processorMs } from '../harness/processor-time.ts'
import { ASiteFolder } from './a-site-folder.ts'

const form = '[[forms]]\nid = "contact1"\n'
const script = '<script src="/_svc/v1.js" defer></script>'

interface AFolder {
  toml?: string
  files?: Record<string, string>
  left?: LeftBehind[]
}

async function warned({ toml = form, files = {}, left = [] }: AFolder) {
  using site = new ASiteFolder(toml)
  for (const [path, text] of Object.entries(files)) site.write(path, text)
  const folder = await site.read()
  const references = new FolderReferences(folder)
  await hashAssets(folder.assets, { dir: site.dir, reader: references, onDone() {} })
  return [...folder.warnings, ...pageWarnings(folder, references, left)]
}

const linesOf = async (folder: AFolder) => (await warned(folder)).map((one) => `${one.kind} ${siteFaultLine(one)}`)

/** One page called `launch`, beside an image, a file, a stylesheet and another page. */
const launch = (html: string, files: Record<string, string> = {}): Record<string, string> => ({
  'pages/launch.html': html,
  'pages/thanks.html': '<p>Thanks',
  'img/brand/hero.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'files/price list.pdf': 'x',
  'assets/css/site.css': '',
  ...files,
})

describe('a page whose form nobody gets', () => {
  test.each([
    [
      'names no form of the account',
      `\n<form data-svc-form=contact2></form>${script}`,
      'unknown_form pages/launch.html:2: there is no form "contact2": what visitors send is refused; did you mean "contact1"?',
    ],
    [
      'names a form that is not registered',
      `<form data-svc-form=closed11></form>${script}`,
      'unknown_form pages/launch.html:1: the form "closed11" is not registered: what visitors send is refused; register it, or take it out of the page',
    ],
    [
      'lacks the script',
      '<form\ndata-svc-form=contact1></form>',
      'no_script pages/launch.html:2: the form "contact1" is not sent: the page lacks the script; add <script src="/_svc/v1.js" defer></script>',
    ],
    [
      'has the script in a comment',
      `<form data-svc-form=contact1></form><!-- ${script} -->`,
      'no_script pages/launch.html:1: the form "contact1" is not sent: the page lacks the script; add <script src="/_svc/v1.js" defer></script>',
    ],
    [
      'has the script of another domain',
      '<form data-svc-form=contact1></form><script src=https://go.bold.example/_svc/v1.js></script>',
      'no_script pages/launch.html:1: the form "contact1" is sent to go.bold.example, which is not among the domains; add <script src="/_svc/v1.js" defer></script>',
    ],
    [
      'has a script of its own without a word of ours',
      '<form data-svc-form=contact1></form><script src=/assets/js/site.js></script>',
      'no_script pages/launch.html:1: the form "contact1" is not sent: the page lacks the script; add <script src="/_svc/v1.js" defer></script>',
    ],
  ])('%s', async (_, html, line) => {
    const toml = `${form}[[forms]]\nid = "closed11"\nregistered = false\n`
    const files = launch(html, { 'assets/js/site.js': 'console.log("important")' })
    expect(await linesOf({ toml, files })).toEqual([line])
  })

  test.each([
    ['has the script', `<form data-svc-form=contact1></form>${script}`],
    [
      'has the script by its base',
      `<base href="/_svc/"><form data-svc-form=contact1></form><script src=v1.js></script>`,
    ],
    [
      'has the script with the domain',
      '<form data-svc-form=contact1></form><script src=//go.acme.example/_svc/v1.js?v=1></script>',
    ],
    [
      'has a script of its own that brings it',
      '<form data-svc-form=contact1></form><script src=/assets/js/bringing.js></script>',
    ],
    [
      'has a module of its own that imports another',
      '<form data-svc-form=contact1></form><script type=module src=/assets/js/main.js></script>',
    ],
    [
      'imports a module of its own',
      '<form data-svc-form=contact1></form><script type=module>import "/assets/js/main.js"</script>',
    ],
    [
      'waits for a tag manager',
      '<form data-svc-form=contact1></form><script src="https://www.googletagmanager.com/gtm.js?id=1"></script>',
    ],
    [
      'has a form of another account and its script',
      '<form data-svc-form=bold1111></form><script src=https://go.bold.example/_svc/v1.js></script>',
    ],
    ['has a form of another provider', '<form action="https://forms.example/1" method=post></form>'],
    ['names a form that stays on the box', `<form data-svc-form=older111></form>${script}`],
  ])('is none that %s', async (_, html) => {
    const files = launch(html, {
      'assets/js/bringing.js': 'load("/_svc/v1.js")',
      'assets/js/main.js': 'import"./bringing.js"',
    })
    const left: LeftBehind[] = [{ kind: 'form', name: 'older111', state: 'live' }]
    expect(await linesOf({ files, left })).toEqual([])
  })
})

test('thousands of dead links and unknown forms in a page of many lines are placed in linear time', async () => {
  const feeds = '\n'.repeat(20)
  const html = `${feeds}<a href=/gone></a><form data-svc-form=gone1111></form>`.repeat(5_000)
  using site = new ASiteFolder(form)
  for (const [path, text] of Object.entries(launch(html))) site.write(path, text)
  const folder = await site.read()
  const page = folder.assets.find(({ name }) => name === 'launch')
  const found = new FolderReferences(folder)
  expect(page && processorMs(() => found.read(page, Buffer.from(html)))).toBeLessThan(1000)
  expect([found.references.at(-1)?.line, found.forms.at(-1)?.line]).toEqual([100_001, 100_001])
})

describe('an address that leads to nothing', () => {
  test.each([
    [
      'of an image on the disk',
      '<img src="../img/brand/hero.svg">',
      'missing_content',
      '../img/brand/hero.svg: there is nothing at /img/brand/hero.svg; write /_svc/img/brand/hero.svg',
    ],
    [
      'of an image from the folder',
      '<img src="/img/brand/hero.svg">',
      'missing_content',
      '/img/brand/hero.svg: there is nothing at /img/brand/hero.svg; write /_svc/img/brand/hero.svg',
    ],
    [
      'of an image with a slip',
      '<img src="/_svc/img/brand/heroo.svg">',
      'missing_content',
      '/_svc/img/brand/heroo.svg: there is nothing at /_svc/img/brand/heroo.svg; did you mean /_svc/img/brand/hero.svg?',
    ],
    [
      'of a download',
      '<a href="../files/price%20list.pdf">',
      'missing_content',
      '../files/price%20list.pdf: there is nothing at /files/price%20list.pdf; write /_svc/file/price%20list.pdf',
    ],
    [
      'of a download that is nowhere',
      '<a href="/_svc/file/none.zip">',
      'missing_content',
      '/_svc/file/none.zip: there is nothing at /_svc/file/none.zip; add the file to the folder',
    ],
    [
      'of a stylesheet',
      '<link rel=stylesheet href="../assets/site/other.css">',
      'missing_content',
      '../assets/site/other.css: there is nothing at /assets/site/other.css; add the file to the folder',
    ],
    [
      'of a picture in a style',
      '<style>p{background:url(x/y/z.png)}</style>',
      'missing_content',
      'x/y/z.png: there is nothing at /x/y/z.png; add the file to the folder',
    ],
    [
      'of a page as a file',
      '<a href="thanks.html">',
      'dead_link',
      'thanks.html: there is nothing at /thanks.html; write /thanks',
    ],
    [
      'of a page with a slip',
      '<a href="/thank?x=1#y">',
      'dead_link',
      '/thank?x=1#y: there is nothing at /thank; did you mean /thanks?',
    ],
    [
      'of a page on a connected domain',
      '<a href="http://go.acme.example/completely/else">',
      'dead_link',
      'http://go.acme.example/completely/else: there is nothing at /completely/else; add the page, or a redirect for its address',
    ],
    [
      'of a page in another case',
      '<a href="/Thanks">',
      'dead_link',
      '/Thanks: there is nothing at /Thanks; did you mean /thanks?',
    ],
    ['of the home page', '<a href="/">', 'dead_link', '/: the account has no home page; set home in site.toml'],
    [
      'by a base',
      '<base href="/sub/"><a href="thanks">',
      'dead_link',
      'thanks: there is nothing at /sub/thanks; add the page, or a redirect for its address',
    ],
  ])('%s is named with what is right', async (_, html, kind, message) => {
    expect(await linesOf({ files: launch(`\r\n${html}`) })).toEqual([`${kind} pages/launch.html:2: ${message}`])
  })

  test('of pages/404.html is named as that of no page', async () => {
    const files = { ...launch('<a href="/404">'), 'pages/404.html': '<title>Lost</title>' }
    expect(await linesOf({ files })).toEqual([
      'dead_link pages/launch.html:1: /404: there is nothing at /404; add the page, or a redirect for its address',
    ])
  })

  test.each([
    ['a part of the page', '<a href="#a"><a href=""><a href="?x=1">'],
    ['a mail, a number, a script', '<a href="mailto:a@b.example"><a href="tel:+4930"><a href="javascript:void 0">'],
    [
      'another host, another port',
      '<a href="https://b.example/x"><a href="//b.example/x"><a href="http://go.acme.example:8080/x">',
    ],
    [
      'what is there',
      '<a href="/thanks"><a href="thanks/"><img src="/_svc/img/brand/hero.svg?v=2"><a href="/_svc/file/price%20list.pdf"><link rel=stylesheet href="../assets/css/site.css">',
    ],
    ['a redirect', '<a href="/old"><a href="/older/a/b">'],
    ['endpoints', '<script src="/_svc/v1.js"></script><form action="/_svc/f/contact1"><a href="/_svc/c/x">'],
    ['what stays on the box', '<a href="/before"><img src="/_svc/img/before.png">'],
    ['data', '<img src="data:image/png;base64,AAAA">'],
    ['another base', '<base href="https://cdn.example/"><img src="a.png">'],
    ['an address with a character that has a rare name', '<a href="/caf&eacute;">'],
  ])('is not %s', async (_, html) => {
    const toml =
      '[[redirects]]\nfrom = "/old"\nto = "/thanks"\n[[redirects]]\nfrom = "/older/*"\nto = "https://b.example/*"\n'
    const left: LeftBehind[] = [
      { kind: 'page', name: 'before', state: 'live' },
      { kind: 'image', name: 'before.png', state: 'live' },
    ]
    expect(await linesOf({ toml, files: launch(html), left })).toEqual([])
  })

  test('of a stylesheet begins where the stylesheet is', async () => {
    const files = launch('<p>', {
      'assets/css/site.css': '@import "more/a.css";\np { src: url(../f.woff2), url(/_svc/img/brand/hero.svg) }',
    })
    expect(await linesOf({ files })).toEqual([
      'missing_content assets/css/site.css:1: more/a.css: there is nothing at /assets/css/more/a.css; did you mean /assets/css/site.css?',
      'missing_content assets/css/site.css:2: ../f.woff2: there is nothing at /assets/f.woff2; add the file to the folder',
    ])
  })

  test('of what is in preview is one for a live page, and none for a page in preview', async () => {
    const toml = '[[pages]]\nslug = "draft"\nstate = "preview"\n[[pages]]\nslug = "other"\nstate = "preview"\n'
    const files = launch('<a href="/draft">', {
      'pages/draft.html': '<a href="/other">',
      'pages/other.html': '<a href="/draft">',
    })
    expect(await linesOf({ toml, files })).toEqual([
      'dead_link pages/launch.html:1: /draft is in preview: visitors get 404; make it live first',
    ])
  })
})

describe('a goal or a funnel counts nothing', () => {
  const steps = 'name = "A"\nsteps = [{ page = "/launch" }, { form = "contact2" }]\n'

  test('that names a form or page that is not there', async () => {
    const toml = `${form}[[goals]]\nname = "A"\npage = "/lanch"\n[[goals]]\nname = "B"\nform = "nothing1"\n[[funnels]]\n${steps}`
    expect(await linesOf({ toml, files: launch('<p>') })).toEqual([
      'unknown_step site.toml:8 goals[0].page: there is no page at /lanch; did you mean "/launch"?',
      'unknown_step site.toml:11 goals[1].form: there is no form with the id "nothing1"; nothing will be counted',
      'unknown_step site.toml:14 funnels[0].steps[1].form: there is no form with the id "contact2"; did you mean "contact1"?',
    ])
  })

  test('that names nearly a page of the folder, where other websites count as well', async () => {
    const toml = 'origins = ["https://www.acme.example"]\n[[goals]]\nname = "A"\npage = "/lanch"\n'
    expect(await linesOf({ toml, files: launch('<p>') })).toEqual([
      'unknown_step site.toml:7 goals[0].page: there is no page at /lanch; did you mean "/launch"?',
    ])
  })

  test('unless it may be a page of another website, a draft, or a form that stays on the box', async () => {
    const left: LeftBehind[] = [{ kind: 'form', name: 'contact2', state: 'unregistered' }]
    const toml = `origins = ["https://www.acme.example"]\n${form}[[goals]]\nname = "A"\npage = "/elsewhere"\n[[funnels]]\n${steps}[[pages]]\nslug = "launch"\nstate = "preview"\n`
    expect(await linesOf({ toml, files: launch('<p>'), left })).toEqual([])
  })
})

test('a schema that requires what it does not declare is named with its line', async () => {
  const toml = `${form}[forms.schema]\nrequired = ["email", "nmae", "other"]\nproperties = { email = {}, name = {} }\n`
  expect(await linesOf({ toml })).toEqual([
    'undeclared_required site.toml:6 forms[0].schema.required: requires "nmae", which it does not declare; did you mean "name"?',
    'undeclared_required site.toml:6 forms[0].schema.required: requires "other", which it does not declare; declare it in properties, or do not require it',
  ])
})

test('of tens of thousands of dead addresses, the first are judged', async () => {
  const links = '<a href="/a/b">\n'.repeat(11_000)
  const warnings = await warned({ files: { 'pages/a.html': links } })
  expect([warnings.length, warnings.at(-1)?.message]).toEqual([
    10_001,
    'more than 10000 addresses lead to nothing; this and later ones are not judged',
  ])
})

test('a page of 100,000 attributes and unclosed tags takes no longer than others', async () => {
  const page = `<p ${'x="<a href=/no>" '.repeat(100_000)}>${'<div><a '.repeat(10_000)}<a href="/nowhere`
  const begun = process.cpuUsage()
  expect(await warned({ files: { 'pages/a.html': page } })).toEqual([])
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(2000)
})

describe('200 made folders', () => {
  /** Blocks of a page that name only what is there, whichever pages the folder has. */
  const sound = [
    '<!doctype html>',
    '<p>Text & more < than',
    '<a href="/p0">',
    "<a href='p0#x'>",
    '<A HREF=/p0?a=1&amp;b=2>',
    '<img src=/_svc/img/a.svg alt=">">',
    '<img srcset="/_svc/img/a.svg 1x, ../_svc/img/a.svg?x=1,2 2x">',
    '<style>p { background: url("/_svc/img/a.svg") } /* url(/no) */</style>',
    '<!-- <a href="/no"><form data-svc-form=no> -->',
    '<template><img src={{no}}></template>',
    '<script>x = "<img src=/no>"</script>',
    '<textarea><a href=/no></textarea>',
    '<form action="https://b.example/f" method=post></form>',
    '<link rel=stylesheet href="../assets/a.css">',
    '<p style="background: url(\'/assets/a.css\')">',
    '<a href="https://b.example/no">',
    '<a href=mailto:a@b.example>',
    '<svg><style/><use href="#no"/></svg>',
    `<form data-svc-form="contact1"></form>${script}`,
    '<title><a href=/no></title>',
    '<a title="x" href="/_svc/file/a.pdf" download>',
  ]
  /** One mistake of each kind. */
  const planted = {
    unknown_form: `${script}<form data-svc-form='nothing1'>`,
    no_script: '<form data-svc-form=contact1>',
    missing_content: '<img alt=">" src="/_svc/img/no.svg">',
    dead_link: '<a title=x href=no>',
  } as const
  type Planted = keyof typeof planted

  const folders = record({
    pages: uniqueArray(integer({ min: 1, max: 50 }), { maxLength: 4 }),
    blocks: uniqueArray(integer({ min: 0, max: sound.length - 1 }), { maxLength: 12 }),
    place: integer({ min: 0, max: 12 }),
    lineEnd: constantFrom('\n', '\r\n'),
    mark: constantFrom('', '\ufeff'),
    kind: constantFrom<Planted | null>(null, ...(Object.keys(planted) as Planted[])),
  })

  test('raise no false alarm, and show each planted mistake at its line', async () => {
    await assert(
      asyncProperty(folders, async ({ pages, blocks, place, lineEnd, mark, kind }) => {
        const chosen = blocks
          .map((index) => sound[index] ?? '')
          .filter((block) => kind !== 'no_script' || !block.includes('data-svc-form="'))
        const at = Math.min(place, chosen.length)
        const lines = kind === null ? chosen : chosen.toSpliced(at, 0, planted[kind])
        const files = {
          'pages/p0.html': mark + lines.join(lineEnd),
          ...Object.fromEntries(pages.map((number) => [`pages/p${number}.html`, `<a href="/p${number}">`])),
          'img/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
          'files/a.pdf': 'x',
          'assets/a.css': 'p { src: url(a.css) }',
        }
        const found = (await warned({ files })).map(({ kind, file, line }) => ({ kind, file, line }))
        expect(found).toEqual(kind === null ? [] : [{ kind, file: 'pages/p0.html', line: at + 1 }])
      }),
      { numRuns: 200 },
    )
  })
})
