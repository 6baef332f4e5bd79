import { describe, expect, test } from 'bun:test'
import { decodeToml } from '../../../src/lib/toml/decode.ts'
import { parseToml } from '../../../src/lib/toml/parse.ts'
import { table } from '../../../src/lib/toml/shape.ts'

const faultOf = (text: string) => parseToml(text).fault
const keys = (count: number) => Array.from({ length: count }, (_, number) => `k${number} = 1`).join('\n')

describe('a document that would take the parser long is a fault with its line', () => {
  const deep = 'lists and tables go deeper than 64 levels'
  const many = 'has more than 50,000 keys, tables and list items up to this line'
  const cases: [name: string, text: string, line: number | null, message: string][] = [
    ['100,000 lists in each other', `a = 1\nb = ${'['.repeat(100_000)}${']'.repeat(100_000)}`, 2, deep],
    ['100,000 open lists', `a = ${'['.repeat(100_000)}`, 1, deep],
    ['100,000 tables in each other', `a = ${'{a='.repeat(100_000)}1${'}'.repeat(100_000)}`, 1, deep],
    ['a name of 100 parts', `${'a.'.repeat(100)}b = 1`, 1, deep],
    ['60,000 keys', keys(60_000), 50_001, many],
    ['keys behind a string that ends in a quote', `a = """x""""\n${keys(50_000)}`, 50_001, many],
    ['keys behind a string with an escaped quote', `a = "\\""\n${keys(50_000)}`, 50_001, many],
    ['100,000 tables', '[[a]]\n'.repeat(100_000), 25_001, many],
    ['100,000 list items', `a = [${'1,'.repeat(100_000)}]`, 1, many],
    ['more than a megabyte', `# ${'x'.repeat(1_048_576)}`, null, 'has more than 1,048,576 characters'],
  ]
  test.each(cases)('%s', (_, text, line, message) => {
    expect(faultOf(text)).toEqual({ key: null, line, message })
  })
})

test.each([
  ['brackets in strings', `a = "${'['.repeat(1000)}"\nb = '${'{'.repeat(1000)}'`],
  ['brackets in long strings', `a = """\n${'[ '.repeat(1000)}\\"""" \nb = '''\n${'{ '.repeat(1000)}''''`],
  ['brackets in comments', `# ${'['.repeat(1000)}\na = 1 # ${'{'.repeat(1000)}`],
  ['commas in texts', `a = """${'x, '.repeat(30_000)}"""`],
  ['thousands of tables', Array.from({ length: 5000 }, () => '[[forms]]\nid = 1').join('\n')],
])('%s are no fault', (_, text) => {
  expect(faultOf(text)).toBeNull()
})

test('of thousands of unknown keys, the first hundred are named', () => {
  const { faults } = decodeToml(keys(5000), table({}))
  expect(faults).toHaveLength(101)
  expect(faults.at(-1)).toMatchObject({ line: 101, message: expect.stringContaining('4900 of this table') })
})
