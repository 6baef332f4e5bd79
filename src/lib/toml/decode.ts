import { KindGuard, type Static, type TObject } from '@sinclair/typebox'
import { At } from './at.ts'
import { decodeFields, unknownHere } from './decode-value.ts'
import type { Place, TomlFault } from './fault.ts'
import { parseToml } from './parse.ts'
import type { Shape, Shapes, TableShape } from './shape.ts'
import type { TomlTable } from './value.ts'

export interface Decoding<T> {
  /** `null` if there is any fault. */
  value: T | null
  /** The keys that could be decoded, for checks that want to add their faults to these. */
  partial: Partial<T>
  faults: TomlFault[]
  /** The place of a key at the top of the document. */
  place(name: string): Place
}

/** Decodes TOML text and reports all faults of the document at once; a syntax error is reported alone. */
export function decodeToml<S extends Shapes>(
  text: string,
  description: TableShape<S>,
): Decoding<Static<TableShape<S>>> {
  const { table, fault } = parseToml(text)
  if (table !== null) return decodeTable(table, description)
  return { value: null, partial: {}, faults: [fault], place: (key) => ({ key, line: null }) }
}

export function decodeTable<S extends Shapes>(
  root: TomlTable,
  description: TableShape<S>,
): Decoding<Static<TableShape<S>>> {
  const faults: TomlFault[] = []
  const partial = decodeFields(description.properties, root, new At('', null, faults)) as Partial<Static<TableShape<S>>>
  const paths = leaves(description).map(({ path }) => path)
  return {
    value: faults.length === 0 ? (partial as Static<TableShape<S>>) : null,
    partial,
    faults: faults.map((fault) => pointedElsewhere(fault, paths)).sort(byLine),
    place: (name) => ({ key: name, line: root.entries.get(name)?.line ?? null }),
  }
}

interface Leaf {
  path: string[]
  shape: Shape<unknown>
}

/** Every key that a table may hold, tables within tables opened. Lists of tables are not. */
export function leaves(table: TObject): Leaf[] {
  return Object.entries(table.properties as Shapes).flatMap(([name, shape]) => {
    if (!KindGuard.IsObject(shape)) return [{ path: [name], shape }]
    return leaves(shape).map((leaf) => ({ ...leaf, path: [name, ...leaf.path] }))
  })
}

/** Catches a key below the wrong [table] header, the most common mistake in TOML. */
function pointedElsewhere(fault: TomlFault, paths: string[][]): TomlFault {
  if (fault.key === null || !fault.message.startsWith(unknownHere)) return fault
  const name = fault.key.split('.').at(-1)
  const path = paths.find((path) => path.at(-1) === name)
  if (path === undefined || name === undefined) return fault
  const home = path.length === 1 ? 'at the top, above the first [table]' : `in [${path.slice(0, -1).join('.')}]`
  return { ...fault, message: `unknown key here; "${name}" stands ${home}` }
}

const byLine = (a: TomlFault, b: TomlFault): number => (a.line ?? 0) - (b.line ?? 0)
