import { parseToml } from '../../lib/toml/parse.ts'
import type { TomlEntry, TomlTable, TomlValue } from '../../lib/toml/value.ts'

/** The way to `site.toml` in the editor. @param at the key to change, as `lineOf` has it; `end`: where something new is added */
export const settingsAt = (handle: string, at: { key: string } | 'end'): string =>
  `/a/${handle}/settings?${at === 'end' ? 'line=end' : `key=${encodeURIComponent(at.key)}`}#site-toml`

/** The line at which an address asks to begin; `null`: it asks for none. A key that the text lacks belongs below the header of its table, or else above the first table. */
export function askedLine({ searchParams }: Pick<URL, 'searchParams'>, text: string): number | null {
  const key = searchParams.get('key')
  if (key !== null) {
    const { table } = parseToml(text)
    return (table && (lineOf(table, key) ?? lineOf(table, key.replace(/\..*/s, '')))) ?? 1
  }
  const line = searchParams.get('line')
  return line === 'end' ? text.split('\n').length : Math.max(0, Math.trunc(Number(line))) || null
}

/**
 * `null`: the text does not have the key, so what it says is the default.
 *
 * @param key as `site.toml` names it, with its table before a dot; of a list of tables each has its id, name or page behind the dot
 */
export function lineOf(table: TomlTable, key: string): number | null {
  const [first = '', ...rest] = key.split('.')
  const entry = table.entries.get(first)
  if (entry === undefined) return null
  if (rest.length > 0) return lineWithin(entry.value, rest.join('.'))
  return entry.line ?? (entry.value.kind === 'array' ? (entry.value.items[0]?.line ?? null) : null)
}

function lineWithin(value: TomlValue, key: string): number | null {
  if (value.kind === 'table') return lineOf(value, key)
  if (value.kind !== 'array') return null
  return value.items.find((item) => nameOf(item) === key)?.line ?? null
}

function nameOf({ value }: TomlEntry): string | null {
  if (value.kind !== 'table') return null
  const [name] = ['id', 'name', 'page'].flatMap((key) => value.entries.get(key)?.value ?? [])
  return name?.kind === 'string' ? name.value : null
}
