import { describe, expect, test } from 'bun:test'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { siteFaultLine } from '../../src/site/site-faults.ts'
import { ASiteFolder } from './a-site-folder.ts'

const namesOf = async (site: ASiteFolder) =>
  (await site.read()).assets.map(({ kind, name, state }) => `${kind} ${name} ${state}`)

describe('pages', () => {
  test('live at their file names unless an entry says otherwise', async () => {
    using site = new ASiteFolder(
      '[[pages]]\nslug = "draft"\nstate = "preview"\n[[pages]]\nfile = "pages/2026/old.html"\n[[pages]]\nslug = "new"\nfile = "pages/v2.html"\n',
      ['pages/plain.html', 'pages/draft.html', 'pages/2026/old.html', 'pages/v2.html'],
    )
    expect(await namesOf(site)).toEqual(['page draft preview', 'page new live', 'page old live', 'page plain live'])
  })

  test('may share a file, each with its slug', async () => {
    using site = new ASiteFolder(
      '[[pages]]\nslug = "a"\nfile = "pages/x.html"\n[[pages]]\nslug = "b"\nfile = "pages/x.html"\n',
      ['pages/x.html'],
    )
    expect(await namesOf(site)).toEqual(['page a live', 'page b live'])
  })

  test.each([
    'pages/a.htm',
    'pages/a.HTML',
    'pages/style.css',
    'pages/sub/a.html',
    'pages/_a.html',
    'pages/a b.html',
    `pages/${'a'.repeat(101)}.html`,
  ])('%s is a fault', async (file) => {
    using site = new ASiteFolder('', [file])
    expect(await site.faults()).toEqual([expect.stringContaining(`${file}: is not a page`)])
  })

  test.each([
    ['slug = "gone"', 'pages[0].slug: there is no page pages/gone.html'],
    ['slug = "x"\nfile = "pages/gone.html"', 'pages[0].file: there is no page pages/gone.html'],
    ['file = "site.toml"', 'pages[0].file: there is no page site.toml'],
    ['file = "../acme/pages/launch.html"', 'pages[0].file: there is no page'],
    ['state = "live"', 'pages[0]: needs a slug, a file, or both'],
    ['slug = "launch"\nstate = "draft"', 'pages[0].state: must be "live" or "preview"'],
    ['slug = "lanch"', 'did you mean pages/launch.html?'],
  ])('an entry with %j is a fault', async (entry, fault) => {
    using site = new ASiteFolder(`[[pages]]\n${entry}\n`, ['pages/launch.html'])
    expect(await site.faults()).toEqual([expect.stringContaining(fault)])
  })

  test('must not have one slug twice', async () => {
    using site = new ASiteFolder('[[pages]]\nslug = "a"\nfile = "pages/b.html"\n', ['pages/a.html', 'pages/b.html'])
    expect(await site.faults()).toEqual(['site.toml:5 pages[0].slug: two pages have the slug "a"'])
  })

  test('must not have slugs that differ only in case', async () => {
    using site = new ASiteFolder('[[pages]]\nslug = "A"\nfile = "pages/b.html"\n', ['pages/a.html', 'pages/b.html'])
    expect(await site.faults()).toEqual(['site.toml:5 pages[0].slug: "A" and "a" differ only in case'])
  })

  test('that are empty are warned of', async () => {
    using site = new ASiteFolder()
    site.write('pages/a.html', '')
    expect((await site.read()).warnings.map(siteFaultLine)).toEqual(['pages/a.html: is empty'])
  })
})

describe('images, files and assets', () => {
  test('are found at any depth, in order of their paths', async () => {
    using site = new ASiteFolder('', [
      'assets/css/site.css',
      'img/z.png',
      'img/a/b/c.SVG',
      'files/x/README',
      'files/Our offer (final).pdf',
    ])
    expect(await namesOf(site)).toEqual([
      'image a/b/c.SVG live',
      'image z.png live',
      'file Our offer (final).pdf live',
      'file x/README live',
      'asset css/site.css live',
    ])
  })

  test('take their state from their entry, whose path may begin with the folder', async () => {
    using site = new ASiteFolder(
      '[[images]]\npath = "a/b.png"\nstate = "preview"\n[[files]]\npath = "files/c.pdf"\nstate = "preview"\n[[assets]]\npath = "d.css"\nstate = "preview"\n',
      ['img/a/b.png', 'files/c.pdf', 'assets/d.css'],
    )
    expect(await namesOf(site)).toEqual(['image a/b.png preview', 'file c.pdf preview', 'asset d.css preview'])
  })

  test('that an entry names must be there, and once', async () => {
    using site = new ASiteFolder(
      '[[images]]\npath = "hreo.png"\n[[files]]\npath = "a"\n[[files]]\npath = "files/a"\n',
      ['img/hero.png', 'files/a'],
    )
    expect(await site.faults()).toEqual([
      'site.toml:5 images[0].path: there is no img/hreo.png in the folder; did you mean hero.png?',
      'site.toml:9 files[1].path: "a" is already named by files[0] (line 6)',
    ])
  })

  test.each(['img/a.tif', 'img/a', 'img/Thumbs.db', 'img/a.html'])('%s is no image', async (file) => {
    using site = new ASiteFolder('', [file])
    expect(await site.faults()).toEqual([expect.stringContaining(`${file}: cannot be served as an image`)])
  })

  test.each(['assets/Gruntfile', 'assets/a.scss', 'assets/sheet.pdf', 'assets/run.exe'])(
    '%s is no asset',
    async (file) => {
      using site = new ASiteFolder('', [file])
      expect(await site.faults()).toEqual([expect.stringContaining(`${file}: cannot be served as an asset`)])
    },
  )

  test.each(['assets/a.html', 'assets/b/c.HTM', 'assets/d.xhtml'])('%s is a page in the wrong place', async (file) => {
    using site = new ASiteFolder('', [file])
    expect(await site.faults()).toEqual([`${file}: is HTML, and an asset is no page: put pages below pages/`])
  })

  test('in composed or decomposed Unicode have the composed name', async () => {
    using site = new ASiteFolder('[[files]]\npath = "cafe\u0301.pdf"\nstate = "preview"\n', ['files/cafe\u0301.pdf'])
    expect(await namesOf(site)).toEqual(['file café.pdf preview'])
  })

  test.each([
    'files/a\nb',
    'files/a\\b',
    'files/a%20b',
    'files/a?b',
    'files/a#b',
    'files/ a',
    'files/a.',
    'files/a\u202Egpj.exe',
    'files/b?/c',
  ])('%j has a name that cannot be published', async (file) => {
    using site = new ASiteFolder('', [file])
    const faults = await site.faults()
    expect(faults).toEqual([expect.stringContaining('has a name that cannot be published')])
    expect(faults.join()).not.toMatch(/\p{C}/u)
  })
})

describe('names', () => {
  test.each([
    ['img/Hero.png', 'img/hero.png'],
    ['pages/a.html', 'pages/A.html'],
    ['files/Sub/a', 'files/sub/b'],
    ['files/caf\u00e9', 'files/cafe\u0301'],
    ['files/É', 'files/é'],
  ])('%s and %s are one where case does not count', async (one, other) => {
    using site = new ASiteFolder('', [one, other])
    expect(await site.faults()).toEqual([expect.stringContaining('differs only in case')])
  })

  test('that begin with a dot are skipped and listed', async () => {
    using site = new ASiteFolder('', [
      '.git/config',
      'pages/.draft.html',
      'img/.cache/a.png',
      'files/.DS_Store',
      'files/a',
    ])
    const folder = await site.read()
    expect(folder.skipped.sort()).toEqual(['.git', 'files/.DS_Store', 'img/.cache', 'pages/.draft.html'])
    expect(folder.assets.map(({ name }) => name)).toEqual(['a'])
  })

  test('that a site folder has no place for are skipped and listed, folders with a warning', async () => {
    using site = new ASiteFolder('', ['README.md', 'images/a.png', 'page/a.html', 'scratch/x'])
    const { skipped, warnings } = await site.read()
    expect(skipped).toEqual(['README.md', 'images', 'page', 'scratch'])
    expect(warnings.map(siteFaultLine)).toEqual([
      'images/: is not published; did you mean img/?',
      'page/: is not published; did you mean pages/?',
      'scratch/: is not published; pages/, img/, files/ and assets/ are',
    ])
  })

  test('deeper than 16 folders, or longer than 500 characters as a path, are faults', async () => {
    using site = new ASiteFolder('', [`files/${'d/'.repeat(16)}a`, `files/${`${'e'.repeat(200)}/`.repeat(3)}a`])
    expect(await site.faults()).toEqual([
      expect.stringContaining('more than 500 characters'),
      expect.stringContaining('more than 16 folders'),
    ])
  })
})

describe('links', () => {
  test('to files and folders inside are followed', async () => {
    using site = new ASiteFolder('', ['img/brand/hero.png'])
    site.link('img/again.png', 'brand/hero.png').link('img/mark', 'brand').link('files', 'img')
    expect(await namesOf(site)).toEqual([
      'image again.png live',
      'image brand/hero.png live',
      'image mark/hero.png live',
      'file again.png live',
      'file brand/hero.png live',
      'file mark/hero.png live',
    ])
  })

  test.each([
    ['files/passwd', '/etc/passwd'],
    ['files/up', '../..'],
    ['files/sibling', '../../acme-2'],
    ['img', '/etc'],
    ['pages/a.html', '../../outside.html'],
  ])('%s → %s leads out of the folder', async (path, target) => {
    using site = new ASiteFolder('', ['../outside.html', '../acme-2/x'])
    site.link(path, target)
    expect(await site.faults()).toEqual([`${path}: is a link that leads out of the folder`])
  })

  test('of a site.toml that leads out of the folder is a fault', async () => {
    using site = new ASiteFolder('', ['../outside.toml'])
    const other = new ASiteFolder()
    using _ = other
    await Bun.file(join(site.dir, 'site.toml')).delete()
    site.link('site.toml', join(other.dir, 'site.toml'))
    expect(await site.faults()).toEqual(['site.toml: is a link that leads out of the folder'])
  })

  test.each(['../site.toml', '../.env', '../.git/config'])(
    'to %s would publish what is not published',
    async (target) => {
      using site = new ASiteFolder('', ['.env', '.git/config'])
      site.link('files/x', target)
      expect(await site.faults()).toEqual([expect.stringContaining('files/x: is a link to ')])
    },
  )

  test('that lead nowhere or in a circle are faults', async () => {
    using site = new ASiteFolder('', ['files/a/x'])
    site.link('files/gone', 'nothing').link('files/self', 'self').link('files/a/up', '..').link('files/a/here', '.')
    expect(await site.faults()).toEqual([
      'files/gone: is a link that leads nowhere',
      'files/self: is a link that leads nowhere',
      'files/a/here: is a link that leads in a circle',
      'files/a/up: is a link that leads in a circle',
    ])
  })
})

describe('sizes', () => {
  test.each([
    ['pages/a.html', 10_485_760],
    ['img/a.png', 52_428_800],
    ['files/a.bin', 1_073_741_824],
  ])('%s may hold %d bytes and no more', async (file, bytesMax) => {
    using site = new ASiteFolder('', [file])
    truncateSync(join(site.dir, file), bytesMax)
    expect(await site.faults()).toEqual([])
    truncateSync(join(site.dir, file), bytesMax + 1)
    expect(await site.faults()).toEqual([`${file}: has ${bytesMax + 1} bytes; at most ${bytesMax} are possible`])
  })
})
