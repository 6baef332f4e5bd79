import { describe, expect, test } from 'bun:test'
import { configSchema } from '../../src/config/config.ts'
import { environmentName } from '../../src/config/environment.ts'
import { exampleConfig } from '../../src/config/example.ts'
import { decodeToml, leaves } from '../../src/lib/toml/decode.ts'
import { parseToml } from '../../src/lib/toml/parse.ts'
import type { TomlTable } from '../../src/lib/toml/value.ts'

const paths = leaves(configSchema).map(({ path }) => path)

describe('config.example.toml', () => {
  test('is a configuration without fault', () => {
    expect(decodeToml(exampleConfig, configSchema).faults).toEqual([])
  })

  test('says the built-in defaults', () => {
    const example = decodeToml(exampleConfig, configSchema).value
    expect(example).not.toBeNull()
    expect(example).toEqual(decodeToml('', configSchema).value)
  })

  test.each(paths)('writes out %s %s', (...path: string[]) => {
    const { table } = parseToml(exampleConfig)
    expect(table === null ? false : stands(table, path)).toBe(true)
  })

  test.each(paths.map((path) => environmentName(path)))('names %s right above the key', (name) => {
    const key = name.toLowerCase().split('_').at(-1) ?? ''
    expect(exampleConfig).toMatch(new RegExp(`# ${name}\\n[a-z0-9_]*${key} = `))
  })
})

function stands(table: TomlTable, [name, ...rest]: string[]): boolean {
  const value = table.entries.get(name ?? '')?.value
  if (rest.length === 0) return value !== undefined
  return value?.kind === 'table' && stands(value, rest)
}
