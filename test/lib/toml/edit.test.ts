// Changes of one value of a document that leave the rest of its text alone.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { withBoolean, withListed, withTable } from '../../../src/lib/toml/edit.ts'

const parsed = (text: string | null) => Bun.TOML.parse((text ?? '').replace(/^\uFEFF/, '')) as Record<string, unknown>

describe('a string more in a list', () => {
  test.each([
    ['an empty list', 'origins = []', 'origins = ["x"]'],
    ['an empty list with a comment', 'origins = [ # none yet\n]\n', 'origins = ["x" # none yet\n]\n'],
    ['a list on one line', 'origins = ["a", "b"] # ours\n', 'origins = ["a", "b", "x"] # ours\n'],
    ['a list that ends in a comma', 'origins = ["a", ]', 'origins = ["a", "x", ]'],
    [
      'a line for each, without a comma at the end',
      'origins = [\n  "a", # one\n  "b" # two, and more\n]\nname = "A"\n',
      'origins = [\n  "a", # one\n  "b", # two, and more\n  "x"\n]\nname = "A"\n',
    ],
    [
      'a line for each, with a comma at the end',
      'origins = [\n\t"a", # [one]\n\t# "c",\n]\n',
      'origins = [\n\t"a", # [one]\n\t"x",\n\t# "c",\n]\n',
    ],
    [
      'a comma behind a comment',
      'origins = [\n  "a" # one\n  , # two\n]',
      'origins = [\n  "a" # one\n  , # two\n  "x",\n]',
    ],
    ['a bracket behind the last item', 'origins = [\n  "a",\n  "b" ]', 'origins = [\n  "a",\n  "b", "x" ]'],
    ['lines that end in CR LF', 'origins = [\r\n  "a"\r\n]\r\n', 'origins = [\r\n  "a",\r\n  "x"\r\n]\r\n'],
    [
      'no list, below a table',
      'name = "A" # us\n\n[t]\norigins = ["a"]\n',
      'name = "A" # us\norigins = ["x"]\n\n[t]\norigins = ["a"]\n',
    ],
    ['no list, and no end of the line', 'name = "A"', 'name = "A"\norigins = ["x"]'],
    ['no list, in CR LF', 'name = "A"\r\n[t]\r\n', 'name = "A"\r\norigins = ["x"]\r\n[t]\r\n'],
    ['no key above the tables, behind a byte order mark', '\uFEFF[t]\n', '\uFEFForigins = ["x"]\n[t]\n'],
    ['the string already', 'origins = [\n"x"]', 'origins = [\n"x"]'],
  ])('%s', (_, before, after) => {
    expect(withListed(before, 'origins', 'x')).toBe(after)
  })

  test('that is none is left alone', () => {
    expect(withListed('origins = "a"', 'origins', 'x')).toBeNull()
  })
})

describe('a table more', () => {
  const entries = { name: 'mail', to: ['a@b.example'] }
  const written = '[[deliveries]]\nname = "mail"\nto = ["a@b.example"]\n'

  test.each([
    ['stands at the end', 'name = "A"\n', `name = "A"\n\n${written}`],
    ['begins a line', '[t]\na = 1', `[t]\na = 1\n\n${written}`],
    ['is all there is', '', written],
    ['has the lines of its file', '[t]\r\na = 1\r\n', `[t]\r\na = 1\r\n\r\n${written.replaceAll('\n', '\r\n')}`],
    [
      'is an item where the others are',
      'deliveries = [\n  { name = "a" }, # one\n]\n[t]\n',
      'deliveries = [\n  { name = "a" }, # one\n  { name = "mail", to = ["a@b.example"] },\n]\n[t]\n',
    ],
  ])('%s', (_, before, after) => {
    expect(withTable(before, 'deliveries', entries)).toBe(after)
  })
})

test.each([
  ['[[forms]]\nid = "a"\n[[forms]]\nid = "b"\nregistered = false # closed\n', 'registered = true # closed'],
  ['forms = [{ id = "a" }, { registered = false, id = "b" }]\n', '{ registered = true, id = "b" }'],
])('a boolean of a list of tables changes in its place', (before, line) => {
  const after = withBoolean(before, ['forms', 1, 'registered'], true)
  expect(after).toContain(line)
  expect(after).toBe(before.replace('false', 'true'))
  expect(withBoolean(before, ['forms', 0, 'registered'], true)).toBeNull()
})

const space = fc.constantFrom('', ' ', '\t')
const comments = fc.constantFrom('', ' # a, "b" ]', '\t#[x]')
const word = fc.string({ unit: fc.constantFrom(...'ab"\\ é😀#][\t\u0001\u007f\ud800'), maxLength: 6 })
const item = fc.record({ value: word, before: space, comment: comments, breaks: fc.boolean() })

/** A list in any layout, as its text. */
const list = fc
  .record({ items: fc.array(item, { maxLength: 4 }), trailing: fc.boolean(), head: fc.boolean() })
  .map(({ items, trailing, head }) => {
    const rows = items.map(({ value, before, comment, breaks }, at) => {
      const comma = at < items.length - 1 || trailing ? ',' : ''
      return `${before}${JSON.stringify(value.toWellFormed()).replaceAll('\x7f', '\\u007F')}${comma}${breaks ? `${comment}\n` : ' '}`
    })
    return `[${head ? ' # "first",\n' : ''}${rows.join('')}]`
  })

const document = fc
  .record({
    above: fc.constantFrom(
      '',
      '# a file\n',
      'deliveries = []\n',
      'deliveries = [{ name = "old", to = ["a"] }] # one\n',
      'name = "A" # us\n',
      'long = """\n[t]\norigins = 1\n"""\n',
    ),
    listed: fc.option(list, { nil: null }),
    below: fc.constantFrom(
      '',
      '\n',
      '# end',
      '[t]\norigins = ["a"]\nfree = { b = [1, 2], "c d" = {} }\n',
      '[[forms]]\nid = "a"\n',
      '[[forms]]\nid = "a"\nregistered = false # closed\n[[forms]]\nid = "b"\nregistered = true\n',
    ),
    others: fc.constantFrom('', '[[deliveries]]\nname = "old"\n[u]\n[[deliveries]]\nname = "older"\n'),
    isWindows: fc.boolean(),
  })
  .filter(({ above, others }) => others === '' || !above.includes('deliveries'))
  .map(({ above, listed, below, others, isWindows }) => {
    const text = `${above}${listed === null ? '' : `origins = ${listed}\n`}${below}${below === '# end' ? '\n' : ''}${others}`
    return isWindows ? text.replaceAll('\n', '\r\n') : text
  })

/** Whether all characters of one text stand in another, in their order. */
function keeps(before: string, after: string): boolean {
  let at = 0
  for (const character of after) if (before.startsWith(character, at)) at += character.length
  return at === before.length
}

test('whatever the document, it gains the string and nothing else', () => {
  fc.assert(
    fc.property(document, word, (before, value) => {
      const after = withListed(before, 'origins', value)
      const { origins = [], ...rest } = parsed(before)
      const listed = origins as string[]
      const meant = value.toWellFormed()
      expect(parsed(after)).toEqual({ ...rest, origins: listed.includes(value) ? listed : [...listed, meant] })
      expect(keeps(before, after ?? '')).toBe(true)
      if (before.includes('\r\n')) expect(after).not.toMatch(/(?<!\r)\n/)
    }),
  )
})

test('whatever the document, it gains the table and nothing else', () => {
  fc.assert(
    fc.property(document, word, (before, value) => {
      const after = withTable(before, 'deliveries', { name: value })
      const { deliveries = [], ...rest } = parsed(before)
      expect(parsed(after)).toEqual({
        ...rest,
        deliveries: [...(deliveries as object[]), { name: value.toWellFormed() }],
      })
      expect(keeps(before, after ?? '')).toBe(true)
    }),
  )
})

test('whatever the document, its boolean changes and nothing else', () => {
  fc.assert(
    fc.property(document, fc.boolean(), (before, value) => {
      const { forms, ...rest } = parsed(before) as { forms?: { registered?: boolean }[] }
      const after = withBoolean(before, ['forms', 0, 'registered'], value)
      if (forms?.[0]?.registered === undefined) return expect(after).toBeNull()
      const [first, ...others] = forms
      expect(parsed(after)).toEqual({ ...rest, forms: [{ ...first, registered: value }, ...others] })
      expect(after).toBe(before.replace(/registered = false/, `registered = ${value}`))
    }),
  )
})
