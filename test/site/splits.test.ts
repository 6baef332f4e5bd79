import { describe, expect, test } from 'bun:test'
import { ASiteFolder } from './a-site-folder.ts'

const pages = ['pages/launch.html', 'pages/launch-b.html', 'pages/launch-c.html', 'pages/draft.html']
const draft = '[[pages]]\nslug = "draft"\nfile = "pages/draft.html"\nstate = "preview"\n'

interface Written {
  name?: string
  page?: string
  share?: number
}

const variant = ({ name = 'b', page = 'launch-b', share = 50 }: Written = {}): string =>
  `{ name = "${name}", page = "${page}", share = ${share} }`

const split = (variants: string[], page = 'launch'): string =>
  `[[splits]]\npage = "${page}"\nvariants = [${variants.join(', ')}]\n`

async function faultsOf(...splits: string[]): Promise<string[]> {
  using site = new ASiteFolder(splits.join('') + draft, pages)
  return await site.faults()
}

describe('splits in site.toml', () => {
  test('are a page and its variants', async () => {
    using site = new ASiteFolder(
      split([variant(), variant({ name: 'short-form', page: 'launch-c', share: 25 })]) + draft,
      pages,
    )
    expect((await site.read()).settings.splits).toEqual([
      {
        page: 'launch',
        variants: [
          { name: 'b', page: 'launch-b', share: 50 },
          { name: 'short-form', page: 'launch-c', share: 25 },
        ],
      },
    ])
  })

  test('may leave the page itself without visitors', async () => {
    expect(await faultsOf(split([variant({ share: 100 })]))).toEqual([])
  })

  const c = { name: 'c', page: 'launch-c' }
  const faults: [what: string, splits: string[], fault: string][] = [
    [
      'shares above 100',
      [split([variant(), variant({ ...c, share: 51 })])],
      'variants: the shares come to 101 per cent',
    ],
    ['a share of 0', [split([variant({ share: 0 })])], 'share: must be an integer from 1 to 100'],
    ['a share of 101', [split([variant({ share: 101 })])], 'share: must be an integer from 1 to 100'],
    ['a variant called a', [split([variant({ name: 'a' })])], 'name: "a" is the page itself'],
    ['a name with a space', [split([variant({ name: 'the b' })])], 'name: must be a name, 1 to 20 of [a-z0-9-]'],
    ['two variants of one name', [split([variant(), variant({ ...c, name: 'b' })])], '"b" is also the name of'],
    ['two variants of one page', [split([variant(), variant({ name: 'c' })])], '"launch-b" is also the page of'],
    ['two splits of one page', [split([variant()]), split([variant(c)])], '"launch" is also the page of splits[0]'],
    ['its own page', [split([variant({ page: 'launch' })])], 'page: "launch" is the page itself'],
    [
      'a variant that is split',
      [split([variant()]), split([variant(c)], 'launch-b')],
      '"launch-b" is split itself; a variant must be a page with one version',
    ],
    ['a variant that is not there', [split([variant({ page: 'gone' })])], 'there is no page "gone" in the folder'],
    ['a page that is not there', [split([variant()], 'gone')], 'page: there is no page "gone" in the folder'],
    ['a variant in preview', [split([variant({ page: 'draft' })])], '"draft" is in preview; make it live'],
    ['no variants', [split([])], 'variants: must have at least 1 item'],
    [
      'too many variants',
      [split(Array.from({ length: 10 }, (_, index) => variant({ name: `v${index}`, share: 1 })))],
      'variants: ',
    ],
  ]

  test.each(faults)('%s: a fault', async (_what, splits, fault) => {
    expect((await faultsOf(...splits)).join('\n')).toContain(fault)
  })
})
