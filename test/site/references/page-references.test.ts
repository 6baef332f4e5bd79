import { describe, expect, test } from 'bun:test'
import { type Arbitrary, array, assert, constantFrom, nat, property, record } from 'fast-check'
import { LineFeeds } from '../../../src/site/references/line-feeds.ts'
import {
  PagesReader,
  pageReferences,
  referencesMax,
  sheetReferences,
} from '../../../src/site/references/page-references.ts'
import { processorMs } from '../../harness/processor-time.ts'

/** `LINE USE ADDRESS` of each reference. */
function addressesOf(html: string): string[] {
  const bytes = Buffer.from(html)
  const feeds = new LineFeeds(bytes)
  return pageReferences(bytes).references.map(
    ({ at, lineFeeds, use, address, base }) =>
      `${1 + feeds.before(at) + lineFeeds} ${use} ${address}${base === null ? '' : ` from ${base}`}`,
  )
}

function formsOf(html: string): string[] {
  const bytes = Buffer.from(html)
  const feeds = new LineFeeds(bytes)
  return pageReferences(bytes).forms.map(({ at, id }) => `${1 + feeds.before(at)} ${id}`)
}

describe('a page names', () => {
  test.each([
    [
      'what it links to',
      '<a href="/a"><area href=/b><form action="/c"><button formaction="/d"><iframe src="/e">',
      'abcde',
      'link',
    ],
    [
      'what it loads',
      '<img src="/a"><script src=/b></script><video poster=/c src=/d><object data=/e>',
      'bacde',
      'content',
    ],
    [
      'what its head loads',
      '<link rel=stylesheet href=/a><link rel="shortcut icon" href=/b><link rel=manifest href=/c>',
      'abc',
      'content',
    ],
    ['what drawings load', '<svg><use xlink:href="/a#b"/><image href="/b"/></svg>', ['/a#b', '/b'], 'content'],
    [
      'what its styles load',
      '<p style="background: url(/a)"><style>@import "/b"; p { src: url( \'/c\' ), URL("/d") }</style>',
      'abcd',
      'content',
    ],
    [
      'where it goes on to',
      '<meta http-equiv=Refresh content="5; URL=\'/a\'"><meta name=x content="url=/b">',
      'a',
      'link',
    ],
    ['where it is found', '<link rel=canonical href=/a><link rel="next" href=/b>', 'ab', 'link'],
    ['pictures of several sizes', '<img srcset="/a 1x, /b 2x,/c,/d 2x">', ['/a', '/b', '/c,/d'], 'content'],
    [
      'pictures with commas in their addresses',
      '<source srcset="/a,b 100w,\n /c,\n/d">',
      ['/a,b', '/c', '/d'],
      'content',
    ],
    ['preloaded pictures', '<link rel=preload as=image imagesrcset="/a 1x">', 'a', 'content'],
    ['what is for browsers without scripts', '<noscript><img src=/a></noscript>', 'a', 'content'],
    ['what a shown shadow root has', '<template shadowrootmode=open><img src=/a></template>', 'a', 'content'],
  ])('%s', (_, html, addresses, use) => {
    const expected = typeof addresses === 'string' ? [...addresses].map((letter) => `/${letter}`) : addresses
    const found = pageReferences(Buffer.from(html)).references
    expect(found.map(({ address }) => address).sort()).toEqual([...expected].sort())
    expect(new Set(found.map((reference) => reference.use))).toEqual(new Set([use as 'link']))
  })

  test.each([
    ['in comments', '<!-- <img src=/a> -->'],
    ['in templates, also in each other', '<template><template></template><img src=/a></template>'],
    ['in scripts', '<script>document.write("<img src=/a>")</script><script type="text/template"><img src=/a></script>'],
    ['in fields', '<textarea><img src=/a></textarea>'],
    [
      'in comments and strings of styles',
      '<style>/* url(/a) */ p::after { content: "url(/b)" } @namespace url(/c);</style>',
    ],
    ['in other attributes', '<img data-src=/a alt="src=/b" title=\'<img src="/c">\'>'],
    ['of hosts that are only connected to', '<link rel="preconnect dns-prefetch" href="https://a.example">'],
  ])('nothing %s', (_, html) => {
    expect(addressesOf(html)).toEqual([])
  })

  test('addresses with their lines, whatever ends a line and wherever they stand in a tag', () => {
    const page =
      '\ufeff<!doctype html>\r\n<img\r\n  alt=ü\r\n  src=/a\r\n  srcset="\r\n/b 1x,\r\n/c 2x">\r\n<style>\r\n\r\np { src: url(/d) }</style><a href=/e>'
    expect(addressesOf(page)).toEqual(['4 content /a', '6 content /b', '7 content /c', '10 content /d', '10 link /e'])
  })

  test('addresses with their lines, in whatever order a tag has them', () => {
    const page = '<img srcset="/a 1x,\n/b 2x"\nsrc=/c><form formaction=/d\naction=/e>'
    expect(addressesOf(page)).toEqual(['1 content /a', '2 content /b', '3 content /c', '3 link /d', '4 link /e'])
  })

  test('addresses from the first <base> on', () => {
    const page = '<a href=a><base target=_top><base href="/b/"><a href=b><base href="/c/"><a href=c>'
    expect(addressesOf(page)).toEqual(['1 link a', '1 link b from /b/', '1 link c from /b/'])
  })

  test('forms by their attribute, in any case and quotes', () => {
    const page =
      '<FORM\nDATA-SVC-FORM=contact1><form data-svc-form=\'a\'></form><form data-svc-form="b"><div data-svc-form=c>'
    expect(formsOf(page)).toEqual(['2 contact1', '2 a', '2 b'])
  })

  test('no forms of other providers, and none that the script never meets', () => {
    const page =
      '<form action="https://forms.example/f/1" data-netlify=true></form><!-- <form data-svc-form=a> --><template><form data-svc-form=b></form></template><noscript><form data-svc-form=c></form></noscript><textarea><form data-svc-form=d></textarea>'
    expect(formsOf(page)).toEqual([])
  })

  test('no more addresses than the limit', () => {
    const { references, forms } = pageReferences(
      Buffer.from('<img src=/a><form data-svc-form=a>'.repeat(referencesMax + 1)),
    )
    expect([references.length, forms.length]).toEqual([referencesMax, referencesMax])
  })
})

describe('pages of one frame are read as each is alone', () => {
  const plain = [
    ...[
      '<p>',
      '</p>',
      '<a href=/a>',
      "<img src='/b'>",
      '<div class="x">',
      '</div>',
      '<li><a href="/c">C</a></li>',
      '\n',
    ],
    ...['<script src=/_svc/v1.js></script>', '<script>fetch("/_svc/f")</script>', '<style>p { src: url(/d) }</style>'],
    ...['<form data-svc-form=contact1>', '<title>T</title>', 'Text & ', 'é', '<link rel=icon href=/e>'],
  ]
  const tricky = [
    ...[
      '<!--',
      '-->',
      '--!>',
      '<!-->',
      '<',
      '>',
      '</',
      '"',
      "'",
      '<a href="',
      '<a title=',
      '<a href',
      '/',
      '<?',
      '<!x',
    ],
    ...['<template>', '</template>', '<template shadowrootmode=open>', '<noscript>', '</noscript>', '<base href=/f/>'],
    ...[
      '<svg>',
      '<svg/>',
      '</svg>',
      '<math>',
      '<![CDATA[',
      ']]>',
      '<style/>',
      '<script>',
      '</script>',
      '</script',
      '>',
    ],
    ...['<style>', '</style>', '<textarea>', '</textarea>', '<title>', '</title>', '<plaintext>', '<xmp>', '</xmp>'],
  ]
  const piece = constantFrom(...plain, ...plain, ...plain, ...plain, ...tricky)

  /** The page before, with some pieces in place of others. */
  interface Edit {
    at: number
    removed: number
    pieces: string[]
  }
  const edit: Arbitrary<Edit> = record({
    at: nat(80),
    removed: nat(3),
    pieces: array(constantFrom(...plain, ...tricky), { maxLength: 3 }),
  })
  const sites = record({
    first: array(piece, { minLength: 20, maxLength: 80 }),
    edits: array(array(edit, { maxLength: 2 }), { maxLength: 5 }),
  })

  function pagesOf(first: string[], edits: Edit[][]): string[] {
    let pieces = first
    const pages = [first.join('')]
    for (const each of edits) {
      for (const { at, removed, pieces: added } of each) pieces = pieces.toSpliced(at, removed, ...added)
      pages.push(pieces.join(''))
    }
    return pages
  }

  test('whatever they have in common', () => {
    assert(
      property(sites, ({ first, edits }) => {
        const reader = new PagesReader(() => true)
        for (const html of pagesOf(first, edits).map((page) => Buffer.from(page)))
          expect(reader.read(html)).toEqual(pageReferences(html))
      }),
      { numRuns: 5000 },
    )
  })

  const frame = '<p><a href=/a></a></p>'.repeat(20)
  test.each([
    ['a comment is not closed', `<!--${frame}`],
    ['a comment is closed late', `<!--${frame}--><a href=/b>`],
    ['a template is not closed', `<template>${frame}`],
    ['a base stands in front', `<base href=/b/>${frame}`],
    ['a quote is not closed', `<a title="${frame}`],
    ['a drawing is not closed', `<svg>${frame}<![CDATA[<a href=/c>]]>`],
    ['a tag is cut short', `${frame}<a href=/b`],
    ['the tag goes on', `${frame}<a href=/bc>`],
    ['a sign is read as a tag', `${frame}<a href=/b><`],
  ])('also where %s', (_, page) => {
    const reader = new PagesReader(() => true)
    for (const html of [frame, page, `${frame}${page}`, frame, page].map((text) => Buffer.from(text)))
      expect(reader.read(html)).toEqual(pageReferences(html))
  })

  test('up to the limit of a page', () => {
    const reader = new PagesReader(() => true)
    const some = '<img src=/a><form data-svc-form=a>'.repeat(referencesMax)
    for (const html of [some, `${some}${some}`, some].map((text) => Buffer.from(text))) {
      const { references, forms } = reader.read(html)
      expect([references.length, forms.length]).toEqual([referencesMax, referencesMax])
    }
  })
})

describe('the script', () => {
  const scriptsOf = (html: string) => {
    const { scripts, hasBringingScript } = pageReferences(Buffer.from(html))
    return [...scripts.map(({ address }) => address), ...(hasBringingScript ? ['brought'] : [])]
  }

  test.each([
    [
      'a tag',
      '<script src="https://go.acme.example/_svc/v1.js?v=2" defer></script>',
      'https://go.acme.example/_svc/v1.js?v=2',
    ],
    ['a module', '<SCRIPT type=module src=/_svc/v1.js></SCRIPT>', '/_svc/v1.js'],
    ['a script that inserts it', '<script>s.src = "/_svc/v1.js"</script>', 'brought'],
    ['a script that posts itself', "<script>fetch('/_svc/f/contact1')</script>", 'brought'],
    ['a tag manager', "<script>j.src='https://www.googletagmanager.com/gtm.js?id='+i</script>", 'brought'],
  ])('comes by %s', (_, html, found) => {
    expect(scriptsOf(html)).toEqual([found])
  })

  test.each([
    ['a comment', '<!-- <script src=/_svc/v1.js></script> -->'],
    ['a template', '<template><script src=/_svc/v1.js></script></template>'],
    ['noscript', '<noscript><script src=/_svc/v1.js></script></noscript>'],
    ['a preload', '<link rel=preload as=script href=/_svc/v1.js>'],
    ['the stub of its commands', '<script>window.svc = window.svc || function () {}</script>'],
  ])('does not come by %s', (_, html) => {
    expect(scriptsOf(html)).toEqual([])
  })
})

describe('a style sheet names', () => {
  const addresses = (css: string) =>
    sheetReferences(Buffer.from(css)).map(({ lineFeeds, address }) => `${1 + lineFeeds} ${address}`)

  test.each([
    ['its imports', '@import url("a.css");\n@import \'b.css\' screen;\n@import c;"d"', ['1 a.css', '2 b.css']],
    ['addresses with escapes', 'p { background: url(a\\)b\\20 c.png) }', ['1 a)b c.png']],
    ['addresses behind a comment', '/* " \n */ p { src: url( "a" ) /* url(b) */, url(c) }', ['2 a', '2 c']],
    ['no functions that end in url', 'p { --a: my-url(a); b: curl(b) }', []],
    ['data within it', 'p { src: url(data:font/woff2;base64,AAAA) }', ['1 data:font/woff2;base64,AAAA']],
    ['nothing behind the end of a file', 'p { src: url(', []],
  ])('%s', (_, css, found) => {
    expect(addresses(css)).toEqual(found)
  })

  test.each([
    ['an address', (data: string) => `url(data:${data})`],
    ['a string', (data: string) => `"${data}"`],
    ['a string in single quotes', (data: string) => `'${data}'`],
    ['a comment', (data: string) => `/*${data}*/`],
  ])('what follows %s of three megabytes', (_, long) => {
    const css = `p { background: ${long('A'.repeat(3_000_000))} } p { background: url(b) }`
    expect(addresses(css).at(-1)).toBe('1 b')
  })

  test.each([
    ['quotes', '"\\"'.repeat(100_000)],
    ['openings', 'url('.repeat(100_000)],
    ['blanks', `url(${' '.repeat(200_000)}"`],
    ['comments', '/*'.repeat(100_000)],
    ['addresses', 'url(a)\n'.repeat(100_000)],
    ['escapes', `url(${'a\\)'.repeat(100_000)}`],
  ])('what it names in linear time, with a hundred thousand %s', (_, css) => {
    expect(processorMs(() => sheetReferences(Buffer.from(`@import "a";${css}`)))).toBeLessThan(2000)
  })
})
