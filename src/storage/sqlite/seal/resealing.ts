import type { Database } from 'bun:sqlite'
import type { JsonObject } from '../../../lib/json-value.ts'
import { Seal } from '../../../lib/seal.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { type BoxSeal, proofPlace, proofText } from './box-seal.ts'
import { placeOf, type SealedColumn, type SealedName, sealedColumns } from './sealed-columns.ts'

const columns = Object.entries(sealedColumns) as [SealedName, SealedColumn][]

/** Seals the secrets of a database that nobody else has open with another key. @param from has sealed them until now */
export function sealForBox(connection: Connection, { from, to: key }: { from: BoxSeal; to: Uint8Array }): void {
  const { raw } = connection
  const to = new Seal(key)
  writeTransaction(connection, () => {
    for (const [name, column] of columns)
      for (const row of keysOf(raw, column).flatMap((key) => rowOf(raw, column, key) ?? [])) {
        const plain = from.openBytes(name, row.identity, row.secret)
        keep(raw, column, { ...row, sealed: to.seal(plain, placeOf(name, row.identity)) })
      }
    raw
      .query<null, [string]>(
        `INSERT INTO box (id, revision, seal_proof) VALUES (1, 0, ?1) ON CONFLICT DO UPDATE SET seal_proof = ?1`,
      )
      .run(to.seal(proofText, proofPlace))
  })
}

type Key = string | number

/** A row with its secret as it is stored: the bytes of a sealed text, or those of the secret itself. */
interface SecretRow {
  key: Key
  identity: string
  value: string | Uint8Array
  secret: Uint8Array
}

const keysOf = (raw: Database, { table, column, primaryKey }: SealedColumn): Key[] =>
  raw
    .query<{ key: Key }, []>(`SELECT ${primaryKey} AS key FROM ${table} WHERE "${column}" IS NOT NULL`)
    .all()
    .map(({ key }) => key)

/** `null`: the row holds no secret. */
function rowOf(raw: Database, column: SealedColumn, key: Key): SecretRow | null {
  const { table, primaryKey, identity } = column
  const found = raw
    .query<Omit<SecretRow, 'secret'>, [Key]>(
      `SELECT ${primaryKey} AS key, ${identity} AS identity, "${column.column}" AS value FROM ${table} WHERE ${primaryKey} = ?`,
    )
    .get(key)
  const secret = found === null || found.value === null ? null : secretIn(column.form, found.value)
  return found === null || secret === null || secret.length === 0 ? null : { ...found, secret }
}

function keep(
  raw: Database,
  { table, column, primaryKey, form }: SealedColumn,
  { key, value, sealed }: SecretRow & { sealed: string },
): void {
  raw
    .query<null, [string | Uint8Array, Key]>(`UPDATE ${table} SET "${column}" = ? WHERE ${primaryKey} = ?`)
    .run(withSecret(form, value, sealed), key)
}

function secretIn(form: SealedColumn['form'], value: string | Uint8Array): Uint8Array | null {
  if (typeof form === 'string') return Buffer.from(value as string)
  const [inner, member] = within(JSON.parse(String(value)) as JsonObject, form.json)
  const secret = inner?.[member]
  return typeof secret === 'string' ? Buffer.from(secret) : null
}

function withSecret(form: SealedColumn['form'], value: string | Uint8Array, sealed: string): string | Uint8Array {
  if (form === 'text') return sealed
  if (form === 'bytes') return Buffer.from(sealed)
  const whole = JSON.parse(String(value)) as JsonObject
  const [inner, member] = within(whole, form.json)
  if (inner !== undefined) inner[member] = sealed
  return JSON.stringify(whole)
}

/** The object that holds the value at the path, and the value's name in it. */
function within(whole: JsonObject, path: readonly string[]): [inner: JsonObject | undefined, member: string] {
  const inner = path.slice(0, -1).reduce<JsonObject | undefined>((at, name) => at?.[name] as JsonObject, whole)
  return [inner, path.at(-1) ?? '']
}
