import { describe, expect, test } from 'bun:test'
import { array, assert, constantFrom, property } from 'fast-check'
import { NameTable, type TagAttributes, TagReader } from '../../../src/site/references/html-tags.ts'
import { processorMs } from '../../harness/processor-time.ts'

const names = ['a', 'b', 'script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'svg', 'img', 'p']
const keys = ['href', 'src', 'x']
const wanted = { elements: new NameTable(names), attributes: new NameTable(keys) }

type Tag = [name: string, attributes: Record<string, string>]

function tagsOf(html: string): Tag[] {
  const tags: Tag[] = []
  const bytes = Buffer.from(html)
  const reader = new TagReader(bytes, wanted, {
    onOpen: (name, attributes) => tags.push([name, valuesOf(attributes)]),
    onClose: () => {},
    onText: () => {},
  })
  for (let at = 0; at < bytes.length; ) at = reader.readNext(at)
  return tags
}

const valuesOf = (attributes: TagAttributes): Record<string, string> =>
  Object.fromEntries(keys.flatMap((key, index) => (attributes.has(index) ? [[key, attributes.value(index)]] : [])))

/** What the browser-grade reader finds; it leaves character references as they are, and keeps attributes of one name. */
function tagsOfRewriter(html: string): Tag[] {
  const tags: Tag[] = []
  new HTMLRewriter()
    .on('*', {
      element(element) {
        const attributes: Record<string, string> = {}
        for (const [name = '', value = ''] of element.attributes) if (keys.includes(name)) attributes[name] ??= value
        const name = names.includes(element.tagName) ? element.tagName : ''
        if (name !== '' || Object.keys(attributes).length > 0) tags.push([name, attributes])
      },
    })
    .transform(html)
  return tags
}

const pieces = [
  ...[
    '<a',
    '<b>',
    '<A ',
    '<img ',
    '</a>',
    '</',
    '<',
    '>',
    '/',
    '/>',
    ' ',
    '\n',
    '\t',
    '\f',
    '=',
    '"',
    "'",
    'x',
    '-',
    '!',
  ],
  ...[
    ' href=',
    ' HREF = "',
    " src='",
    ' x',
    'href',
    '<!--',
    '-->',
    '--!>',
    '<!',
    '<?',
    '--',
    '&amp',
    'é',
    '</p x=">">',
  ],
  ...[
    '<script>',
    '<script src=x>',
    '</script>',
    '</SCRIPT ',
    '<style>',
    '</style>',
    '<title>',
    '</title>',
    '<textarea>',
  ],
  ...['</textarea>', '<xmp>', '</xmp>', '<iframe>', '</iframe>'],
]

test('tags and attributes are those that a reader of browser grade finds', () => {
  assert(
    property(array(constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      const html = parts.join('')
      expect(tagsOf(html)).toEqual(tagsOfRewriter(html))
    }),
    { numRuns: 5000 },
  )
})

describe('no tag is', () => {
  test.each([
    ['in a comment', '<!-- <a href=1> --><a href=2>'],
    ['in a comment with a dash before its end', '<!-- <a href=1> ---><a href=2>'],
    ['in a comment that ends as no comment should', '<!-- <a href=1> --!><a href=2>'],
    ['behind an empty comment, in the next one', '<!--><!-- <a href=1> --><a href=2>'],
    ['in a script', '<script>"<a href=1>"</script><a href=2>'],
    [
      'in a script within a comment within a script',
      '<script><!-- <script><a href=1></script> <a href=1></script><a href=2>',
    ],
    [
      'in a style, a title, a field, a frame',
      '<style><a href=1></style><title><a href=1></title><textarea><a href=1></textarea><iframe><a href=1></iframe><a href=2>',
    ],
    ['in CDATA of a drawing', '<svg><![CDATA[ <a href=1> ]]></svg><a href=2>'],
    ['in a doctype or an instruction', '<!DOCTYPE a href=1><?xml a href=1 ?><a href=2>'],
    ['behind a quote that is not closed', '<a href=2><a title="> <a href=1>'],
    ['the end of the document', '<a href=2><a href=1'],
  ])('%s', (_, html) => {
    expect(tagsOf(html).filter(([name]) => name === 'a')).toEqual([['a', { href: '2' }]])
  })
})

test('a slash within a value closes no element', () => {
  expect(tagsOf('<svg><style x=a/><a href=1></style><a href=2></svg>').filter(([name]) => name === 'a')).toEqual([
    ['a', { href: '2' }],
  ])
})

test('content follows a style of a drawing that closes itself', () => {
  expect(tagsOf('<svg><style/><a href=1></svg><style/><a href=2>').filter(([name]) => name === 'a')).toEqual([
    ['a', { href: '1' }],
  ])
})

test('character references in values are decoded, as far as addresses need them', () => {
  const [tag] = tagsOf('<a href="/a&amp;b&#x2F;c&#47;d&quot;&eacute;&amp" x=&#1114112;>')
  expect(tag).toEqual(['a', { href: '/a&b/c/d"&eacute;&amp', x: '&#1114112;' }])
})

describe('a document made to take long is read in linear time:', () => {
  const many = 200_000
  test.each([
    ['attributes', `<a ${'href=x '.repeat(many)}>`],
    ['open tags', '<a '.repeat(many)],
    ['open comments', '<!--'.repeat(many)],
    ['dashes', `<!--${'-'.repeat(many)}`],
    ['quotes', '<a x="'.repeat(many)],
    ['scripts in scripts', `<script>${'<!--<script>'.repeat(many)}`],
    ['scripts that open a comment', '<script><!--</script>'.repeat(many)],
    ['comments in scripts', `<script>${'<!---->'.repeat(many)}`],
    ['ends of other elements', `<style>${'</script>'.repeat(many)}`],
    ['equals signs', `<a ${'='.repeat(many)}`],
    ['blanks', `<a href${' '.repeat(many)}`],
    ['blanks between attributes', `<a${` href${' '.repeat(100)}`.repeat(many / 100)}>`],
    ['drawings', '<svg><![CDATA['.repeat(many)],
  ])('%s', (_, html) => {
    expect(processorMs(() => tagsOf(html))).toBeLessThan(2000)
  })
})
