import { expect, test } from 'bun:test'
import { parseToml } from '../../../src/lib/toml/parse.ts'

const messageOf = (toml: string): string | undefined => parseToml(toml).fault?.message

test.each([
  ['name = Acme Studio', 'name = "…"'],
  ['name = Acme # the customer', 'name = "…"'],
  ['listen = 127.0.0.1:8080', 'listen = "…"'],
  ['data_dir = ./data', 'data_dir = "…"'],
  ['name = “Acme”', 'name = "…"'],
  ['domains = [go.acme.example]', 'domains = ["…", "…"]'],
  ['origins = [ *.acme.example ]', 'origins = ["…", "…"]'],
])('of %j says that text needs quotation marks', (line, instead) => {
  expect(messageOf(`a = 1\n${line}\n`)).toContain('text needs quotation marks')
  expect(messageOf(`a = 1\n${line}\n`)).toEndWith(instead)
})

test('never repeats the value, which may be a secret', () => {
  expect(messageOf('secret = abc123\n')).not.toContain('abc123')
})

test.each(['name = "Acme', 'name = [1, 2', 'na me = 1', '[forms'])('of %j says what the parser says', (line) => {
  expect(messageOf(`${line}\n`)).toStartWith('not valid TOML: ')
  expect(messageOf(`${line}\n`)).not.toContain('quotation marks:')
})

test.each(['a = true', 'a = inf', 'a = 2026-11-20', 'a = [true, 1]'])('%j is valid', (line) => {
  expect(messageOf(line)).toBeUndefined()
})
