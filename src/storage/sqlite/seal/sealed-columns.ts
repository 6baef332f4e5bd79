import type { Database } from 'bun:sqlite'
import type { JsonObject } from '../../../lib/json-value.ts'
import { Seal } from '../../../lib/seal.ts'
import type { Diagnosis } from '../../../operations/check-result.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { rowNumber } from '../lookup/numbered-rows.ts'
import type { SecretForm } from '../schema/table.ts'
import { tables } from '../schema/tables.ts'
import { type BoxSeal, placeOf, proofPlace, proofText, restored, type SealedName, sealOf } from './box-seal.ts'

/** A column with secrets, as its table declares it. */
interface SealedColumn {
  name: SealedName
  table: string
  column: string
  /** See `TableFacts`. */
  row: string
  live: string
  form: SecretForm
}

/**
 * Every column with secrets. Passwords, tokens, sessions, invitations, recovery codes and tracking keys are stored as hashes;
 * answers to repeated calls are encrypted under the caller's token.
 */
const columns: readonly SealedColumn[] = tables.flatMap(({ name: table, sealed }) =>
  Object.entries(sealed?.columns ?? {}).map(([column, form]) => ({
    name: `${table}.${column}` as const,
    ...{ table, column, form, row: sealed?.row ?? '', live: sealed?.live ?? 'true' },
  })),
)
export const sealedNames = columns.map(({ name }) => name)

/** Seals the secrets of a database that nobody else has open with another key. @param from has sealed them until now */
export function sealForBox(connection: Connection, { from, to: key }: { from: BoxSeal; to: Uint8Array }): void {
  const { raw } = connection
  const to = new Seal(key)
  writeTransaction(connection, () => {
    for (const column of columns)
      for (const row of numbersOf(raw, column).flatMap((number) => rowOf(raw, column, number) ?? [])) {
        const plain = from.openBytes(column.name, row.identity, row.secret)
        keep(raw, column, { ...row, sealed: to.seal(plain, placeOf(column.name, row.identity)) })
      }
    raw
      .query<null, [string]>(
        `INSERT INTO box (id, revision, seal_proof) VALUES (1, 0, ?1) ON CONFLICT DO UPDATE SET seal_proof = ?1`,
      )
      .run(to.seal(proofText, proofPlace))
  })
}

const damagedShown = 3

const applied = 'Apply the site folder again, with the secret written in it (`capture apply`).'
const remedies: { [name: SealedName]: string } = {
  'account.settings': applied,
  'destination.definition': applied,
  'certificate.key': 'Restart the service: it orders another certificate.',
  'destination.secret': 'Make a new secret for the receiver: `capture delivery secret rotate`.',
}
/** Nobody misses them: the one signs beside another for a week, the other is made anew when it is needed. */
const spare: ReadonlySet<SealedName> = new Set(['destination.previous_secret', 'acme_account.key'])

/** Which secrets do not open although the key is the box's; `null`: all do. SQLite's check of its pages sees no changed text. */
export function damagedSecrets(raw: Database): Diagnosis | null {
  const damaged = columns
    .filter(({ name }) => !spare.has(name))
    .flatMap((column) =>
      numbersOf(raw, column, column.live)
        .filter((number) => !opens(raw, column, number))
        .map((number) => ({ column, identity: identityOf(raw, column, number) })),
    )
  if (damaged.length === 0) return null
  const handles = handlesById(raw)
  const named = damaged.map(({ column, identity }) => {
    const words = identity.split(' ').map((part) => handles.get(part) ?? part)
    return `${column.name} of ${words.join(' ')}`
  })
  const rest = named.length > damagedShown ? ` and ${named.length - damagedShown} more` : ''
  return {
    found: `Secrets are damaged: ${named.slice(0, damagedShown).join(', ')}${rest}.`,
    advice: [...new Set(damaged.map(({ column }) => remedies[column.name] ?? restored))].join(' '),
  }
}

const handlesById = (raw: Database): ReadonlyMap<string, string> =>
  new Map(
    raw
      .query<{ id: string; handle: string }, []>('SELECT id, handle FROM account')
      .all()
      .map(({ id, handle }) => [id, handle]),
  )

function opens(raw: Database, column: SealedColumn, number: number): boolean {
  try {
    const found = rowOf(raw, column, number)
    if (found !== null) sealOf(raw).openBytes(column.name, found.identity, found.secret)
    return true
  } catch {
    return false
  }
}

const identityOf = (raw: Database, { table, row }: SealedColumn, number: number): string =>
  raw
    .query<{ identity: string }, [number]>(`SELECT ${row} AS identity FROM ${table} WHERE ${rowNumber} = ?`)
    .get(number)?.identity ?? ''

/** A row with its secret as it is stored: the bytes of a sealed text, or those of the secret itself. */
interface SecretRow {
  number: number
  identity: string
  value: string | Uint8Array
  secret: Uint8Array
}

const numbersOf = (raw: Database, { table, column }: SealedColumn, where = 'true'): number[] =>
  raw
    .query<{ number: number }, []>(
      `SELECT ${rowNumber} AS number FROM ${table} WHERE "${column}" IS NOT NULL AND ${where}`,
    )
    .all()
    .map(({ number }) => number)

/** `null`: the row holds no secret. */
function rowOf(raw: Database, { table, column, row, form }: SealedColumn, number: number): SecretRow | null {
  const found = raw
    .query<Omit<SecretRow, 'secret'>, [number]>(
      `SELECT ${rowNumber} AS number, ${row} AS identity, "${column}" AS value FROM ${table} WHERE ${rowNumber} = ?`,
    )
    .get(number)
  const secret = found === null || found.value === null ? null : secretIn(form, found.value)
  return found === null || secret === null || secret.length === 0 ? null : { ...found, secret }
}

function keep(
  raw: Database,
  { table, column, form }: SealedColumn,
  { number, value, sealed }: SecretRow & { sealed: string },
): void {
  raw
    .query<null, [string | Uint8Array, number]>(`UPDATE ${table} SET "${column}" = ? WHERE ${rowNumber} = ?`)
    .run(withSecret(form, value, sealed), number)
}

function secretIn(form: SecretForm, value: string | Uint8Array): Uint8Array | null {
  if (typeof form === 'string') return Buffer.from(value as string)
  const [inner, member] = within(storedJson<JsonObject>(String(value)), form.json)
  const secret = inner?.[member]
  return typeof secret === 'string' ? Buffer.from(secret) : null
}

function withSecret(form: SecretForm, value: string | Uint8Array, sealed: string): string | Uint8Array {
  if (form === 'text') return sealed
  if (form === 'bytes') return Buffer.from(sealed)
  const whole = storedJson<JsonObject>(String(value))
  const [inner, member] = within(whole, form.json)
  if (inner !== undefined) inner[member] = sealed
  return JSON.stringify(whole)
}

/** The object that holds the value at the path, and the value's name in it. */
function within(whole: JsonObject, path: readonly string[]): [inner: JsonObject | undefined, member: string] {
  const inner = path.slice(0, -1).reduce<JsonObject | undefined>((at, name) => at?.[name] as JsonObject, whole)
  return [inner, path.at(-1) ?? '']
}
