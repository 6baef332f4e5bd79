import { getTableName } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as account from './account-schema.ts'
import * as capture from './capture-schema.ts'
import * as https from './certificate-schema.ts'
import * as cluster from './cluster-schema.ts'
import * as console from './console-schema.ts'
import * as delivery from './delivery-schema.ts'
import * as fact from './fact-schema.ts'
import * as file from './file-schema.ts'
import * as forgetting from './forgetting-schema.ts'
import * as inbox from './inbox-schema.ts'
import * as ledger from './ledger-schema.ts'
import * as processing from './processing-schema.ts'
import * as site from './site-schema.ts'
import { facts, type TableFacts } from './table.ts'

interface JsonColumn {
  name: string
  mayBeNull: boolean
}

export interface DeclaredTable extends TableFacts {
  name: string
  columns: readonly string[]
  /** Those of them that hold JSON. */
  json: readonly JsonColumn[]
  /** The tables that it refers to. */
  refersTo: readonly string[]
}

const schemas = [
  ...[account, capture, cluster, console, inbox, delivery, https, ledger],
  ...[processing, fact, file, forgetting, site],
]

/** Every table of the database; a table comes before those that refer to it. */
export const tables: readonly DeclaredTable[] = parentsFirst(
  schemas.flatMap((schema): unknown[] => Object.values(schema)).flatMap(declared),
)

/** What else a schema file exports is no table. */
function declared(value: unknown): DeclaredTable[] {
  if (!isTable(value)) return []
  const { name, columns, foreignKeys } = getTableConfig(value)
  const refersTo = foreignKeys.map((key) => getTableName(key.reference().foreignTable))
  const json = columns.flatMap(({ columnType, name, notNull }) =>
    columnType === 'SQLiteCustomColumn' ? [{ name, mayBeNull: !notNull }] : [],
  )
  return [{ ...value[facts], name, columns: columns.map((column) => column.name), json, refersTo }]
}

function isTable(value: unknown): value is SQLiteTable & { [facts]: TableFacts } {
  return value instanceof SQLiteTable
}

function parentsFirst(from: readonly DeclaredTable[]): DeclaredTable[] {
  const ordered = new Map<string, DeclaredTable>()
  const add = (table: DeclaredTable): void => {
    if (ordered.has(table.name)) return
    for (const parent of from) if (table.refersTo.includes(parent.name)) add(parent)
    ordered.set(table.name, table)
  }
  for (const table of from) add(table)
  return [...ordered.values()]
}

/** A table whose increments a backup carries. */
export const stateTables = tables.flatMap((table) => (table.is === 'state' ? [table.name] : [])).sort()

const isWatched = ({ name }: DeclaredTable): boolean => name === 'box' || name === 'account'

/** A table whose changes the links of a cluster carry, last those that servers read to learn what has changed. */
export const linkedTables = tables
  .filter(({ is, isLinked }) => is === 'state' || isLinked)
  .sort((one, other) => Number(isWatched(one)) - Number(isWatched(other)))
  .map(({ name }) => name)
