import { At, type Decoder, type Fields } from './decoder.ts'
import type { Place, TomlFault } from './fault.ts'
import { parseToml } from './parse.ts'
import { decodeFields, isWhole, type TableDecoder, type TableOf } from './table.ts'
import type { TomlTable } from './value.ts'

export interface Decoding<T> {
  /** `null` when there is any fault. */
  value: T | null
  /** The keys that could be decoded, for checks that want to add their faults to these. */
  partial: Partial<T>
  faults: TomlFault[]
  /** The place of a key at the top of the document. */
  place(name: string): Place
}

/** Decodes TOML text; every fault of the document at once, except that a syntax error is alone. */
export function decodeToml<F extends Fields>(text: string, description: TableDecoder<F>): Decoding<TableOf<F>> {
  const { table, fault } = parseToml(text)
  if (table !== null) return decodeTable(table, description)
  return { value: null, partial: {}, faults: [fault], place: (key) => ({ key, line: null }) }
}

export function decodeTable<F extends Fields>(root: TomlTable, description: TableDecoder<F>): Decoding<TableOf<F>> {
  const faults: TomlFault[] = []
  const partial = decodeFields(description.fields, root, new At('', null, faults))
  const paths = leaves(description).map(({ path }) => path)
  return {
    value: faults.length === 0 && isWhole(description.fields, partial) ? partial : null,
    partial,
    faults: faults.map((fault) => pointedElsewhere(fault, paths)).sort(byLine),
    place: (name) => ({ key: name, line: root.entries.get(name)?.line ?? null }),
  }
}

export interface Leaf {
  path: string[]
  decoder: Decoder<unknown>
}

/** Every key that a description expects, tables within tables opened. Lists of tables are not. */
export function leaves(description: { fields: Fields }): Leaf[] {
  return Object.entries(description.fields).flatMap(([name, decoder]) => {
    if (decoder.fields === null) return [{ path: [name], decoder }]
    return leaves({ fields: decoder.fields }).map((leaf) => ({ path: [name, ...leaf.path], decoder: leaf.decoder }))
  })
}

/** TOML's commonest slip: a key below a [table] header that belongs above it, or in another one. */
function pointedElsewhere(fault: TomlFault, paths: string[][]): TomlFault {
  if (fault.meant !== null || fault.key === null || !fault.message.startsWith('unknown key')) return fault
  const name = fault.key.split('.').at(-1)
  const path = paths.find((path) => path.at(-1) === name)
  if (path === undefined || name === undefined) return fault
  const meant = path.join('.')
  const home = path.length === 1 ? 'at the top, above the first [table]' : `in [${path.slice(0, -1).join('.')}]`
  return { ...fault, meant, message: `unknown key here; "${name}" stands ${home}` }
}

const byLine = (a: TomlFault, b: TomlFault): number => (a.line ?? 0) - (b.line ?? 0)
