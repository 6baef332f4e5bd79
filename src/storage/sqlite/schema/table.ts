import type { BuildColumns } from 'drizzle-orm'
import {
  customType,
  type SQLiteColumnBuilderBase,
  type SQLiteTableExtraConfigValue,
  sqliteTable,
} from 'drizzle-orm/sqlite-core'
import { storedJson } from '../database/damage.ts'

/** What happens to a table's rows apart from their use. Lists of tables elsewhere are made from it (tables.ts). */
export interface TableFacts {
  /**
   * - `state`: increments of a backup carry its changes.
   * - `derived`: processing makes it from the ledger; a restore processes what its base lacks.
   * - `fleeting`: only bases have it, since it is worth nothing in another process or a day later.
   * - `node`: the folder's place in a cluster. What is restored or repaired has none.
   */
  is: 'ledger' | 'state' | 'derived' | 'fleeting' | 'node'
  /**
   * Whose its rows are. An account's are found by `account_row`, and its removal deletes them; those of a `device`, or of another
   * table's row, by `device_row`, and they are deleted with it.
   */
  of: 'box' | 'account' | 'device' | 'delivery' | 'destination' | 'publication'
  /** Whether they go to another box with their account: `copied` with that box's row numbers, or `apart`, by a rule of their own. */
  move: 'copied' | 'apart' | 'stays'
  /** The links of a cluster carry its changes, as they do those of all state. */
  isLinked?: true
  /**
   * Of a derived table that moves: the rows that all nodes of a cluster have alike, by a condition; by default all. They compare
   * them.
   */
  alike?: 'never' | string
  /** A condition on the rows that move; by default, all of the account do. `:account` is its row number. */
  moves?: string
  /** The receiving box numbers them itself, since nothing that moves refers to them. */
  isRenumbered?: true
  /** Identifies the rows that one entry of the ledger alone has made. They are removed with it. */
  perEntry?: readonly ('sequence' | 'device_row' | 'received_at' | 'entry_id')[]
  /**
   * A column with text that visitors sent, or that console users wrote about it, and that must not be in an index. Erasures clear
   * what SQLite left of it in free bytes of pages (forgetting/residue.ts).
   */
  erasedText?: string
  /**
   * Secrets that the box must be able to read again (seal/box-seal.ts): columns, or a value in a column's JSON. `row` is an
   * expression that names a row for as long as its secrets are used, on this box and on another that it moves to. `live` are the
   * rows whose secrets are still used; absent: all.
   */
  sealed?: { row: string; columns: Record<string, SecretForm>; live?: string }
  /** Its rows lie in the order of their key. Drizzle has no word for it: the initial migration adds it. */
  isWithoutRowId?: true
}

/** What a column with a secret holds; of JSON, where the secret is in it. */
export type SecretForm = 'text' | 'bytes' | { json: readonly string[] }

/** In an account's table: the account's id, which is the same on every box. */
export const accountId = (table: string): string =>
  `(SELECT account.id FROM account WHERE account.row = ${table}.account_row)`

export const facts = Symbol('facts')

/** A column with a value of this type, as JSON. The only columns of a type of ours (tables.ts). */
export const json = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (stored) => storedJson<T>(stored),
  })(name)

/** Declares a table. */
export const table = <Name extends string, Columns extends Record<string, SQLiteColumnBuilderBase>>(
  name: Name,
  declared: TableFacts,
  columns: Columns,
  extra?: (self: BuildColumns<Name, Columns, 'sqlite'>) => SQLiteTableExtraConfigValue[],
) => Object.assign(sqliteTable(name, columns, extra), { [facts]: declared })
