import { expect, test } from 'bun:test'
import { parseToml } from '../../../src/lib/toml/parse.ts'

const faultOf = (toml: string) => {
  const { fault } = parseToml(toml)
  return fault && { line: fault.line, message: fault.message.replace('not valid TOML: ', '') }
}

const neverClosed = (opening: string, closing: string): string =>
  `the ${opening} of this line is never closed: ${closing} is missing`

test.each([
  ['a = 1\noops = [\n', 2, neverClosed('[', ']')],
  ['oops = [', 1, neverClosed('[', ']')],
  ['oops = [1, 2\nb = 3\n', 1, neverClosed('[', ']')],
  ['oops = [\n  "x", # ]\n\n[account]\nname = "Acme"\n', 1, neverClosed('[', ']')],
  ['oops = { x = 1\n', 1, neverClosed('{', '}')],
  ['[account\nname = "Acme"\n', 1, neverClosed('[', ']')],
])('of %j names the line with the bracket that is never closed', (toml, line, message) => {
  expect(faultOf(toml)).toEqual({ line, message })
})

test.each(['a = 1\nname =\n', 'a = 1\nname = # soon\nb = 2\n'])('of %j names the key without a value', (toml) => {
  expect(faultOf(toml)).toEqual({ line: 2, message: 'name has no value: something must stand behind the =' })
})

test.each(['a = [\n  ["x" "y"],\n]\n', 'a = {\n  b = tru,\n}\n'])('finds no open bracket in %j', (toml) => {
  expect(faultOf(toml)).toMatchObject({ line: 2, message: expect.not.stringContaining('never closed') })
})
