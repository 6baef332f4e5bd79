import { describe, expect, test } from 'bun:test'
import { type Asset, always } from '../../src/asset/asset.ts'
import type { AssetKind } from '../../src/asset/asset-kind.ts'
import { withSignedReferences } from '../../src/listener/routes/signed-references.ts'

const assets = (kind: AssetKind, names: string[]): ReadonlyMap<string, Asset> =>
  new Map(
    names.map((name) => [
      name,
      {
        id: name,
        kind,
        name,
        current: {
          number: 1,
          sha256: '',
          byteCount: 1,
          variants: [],
          state: 'live',
          ...always,
          publishedAt: 0,
          publishedBy: 'apply',
        },
      },
    ]),
  )

const byPath = {
  image: assets('image', ['a.png', 'b.png', 'brand/ü (1).svg', "it's.png"]),
  file: assets('file', ['sheet.pdf']),
  asset: assets('asset', ['site.css', 'fonts/a b.woff2']),
}

const signed = (markup: string): string =>
  withSignedReferences(markup, { byPath }, ({ kind, name }) => `<${kind} ${name}>`)

describe('a reference to what the account has published becomes its signed address', () => {
  test.each([
    ['in an attribute', '<img src="/_svc/img/a.png">', '<img src="<image a.png>">'],
    ['without quotes', '<img src=/_svc/img/a.png>', '<img src=<image a.png>>'],
    ['of a file', '<a href="/_svc/file/sheet.pdf">', '<a href="<file sheet.pdf>">'],
    [
      'twice in a set',
      '<img srcset="/_svc/img/a.png 1x, /_svc/img/b.png 2x">',
      '<img srcset="<image a.png> 1x, <image b.png> 2x">',
    ],
    [
      'in a style',
      '<style>a{background:url(/_svc/img/a.png)}</style>',
      '<style>a{background:url(<image a.png>)}</style>',
    ],
    ['in a script', "<script>show('/_svc/img/a.png')</script>", "<script>show('<image a.png>')</script>"],
    ['percent-encoded', '<img src="/_svc/img/brand/%C3%BC%20(1).svg">', '<img src="<image brand/ü (1).svg>">'],
    ['not encoded', '<img src="/_svc/img/brand/ü (1).svg">', '<img src="<image brand/ü (1).svg>">'],
    ['with an apostrophe', '<img src="/_svc/img/it\'s.png">', '<img src="<image it\'s.png>">'],
    ['of an asset, from the folder', '<link href="../assets/site.css">', '<link href="<asset site.css>">'],
    ['of an asset, from further down', '<link href="../../assets/site.css">', '<link href="<asset site.css>">'],
    ['of an asset, from the root', '<link href=/assets/site.css>', '<link href=<asset site.css>>'],
    ['of an asset, from the page', '<link href="assets/site.css">', '<link href="<asset site.css>">'],
    ['of an asset, from here', "import('./assets/site.css')", "import('<asset site.css>')"],
    ['of an asset, in a style', 'url(../assets/fonts/a%20b.woff2)', 'url(<asset fonts/a b.woff2>)'],
    ['without a query of its own', '<img src="/_svc/img/a.png?v=2">', '<img src="<image a.png>">'],
    ['with its fragment', '<img src="/_svc/img/a.png#x">', '<img src="<image a.png>#x">'],
  ])('%s', (_how, markup, expected) => {
    expect(signed(markup)).toBe(expected)
  })
})

describe('everything else stays as it was published', () => {
  test.each([
    ['an image that there is not', '<img src="/_svc/img/c.png">'],
    ['an image among the files', '<img src="/_svc/file/a.png">'],
    ['the connected domain’s', '<img src="https://go.acme.test/_svc/img/a.png">'],
    ['that of a domain with a port', '<img src="https://go.acme.test:8443/_svc/img/a.png">'],
    ['the connected domain’s asset', '<link href="https://go.acme.test/assets/site.css">'],
    ['that of a host called assets', '<link href="//assets/site.css">'],
    ['an asset in a folder of that name', '<link href="my-assets/site.css">'],
    ['an asset below another path', '<link href="/old/assets/site.css">'],
    ['another path', '<img src="/_svc/img">'],
    ['a longer name', '<img src="/_svc/img/a.pngx">'],
    ['text', 'Grüße \u{1f600}'],
  ])('%s', (_what, markup) => {
    expect(signed(markup)).toBe(markup)
  })
})

test('a page of nothing but references is searched up to a limit', () => {
  const page = signed('"/_svc/img/a.png"'.repeat(100_000))
  expect(page.match(/<image a\.png>/g)?.length).toBe(2000)
  expect(page.length).toBeGreaterThan(1_000_000)
})
