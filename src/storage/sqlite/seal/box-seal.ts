import type { Database } from 'bun:sqlite'
import type { JsonObject } from '../../../lib/json-value.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { Seal } from '../../../lib/seal.ts'
import type { Diagnosis } from '../../../operations/check-result.ts'
import { makeSealKey, readSealKey, sealKeyFile } from '../../disk/seal-key-file.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { rowNumber } from '../lookup/numbered-rows.ts'
import type { SecretForm } from '../schema/table.ts'
import { tables } from '../schema/tables.ts'

/** Sealed under the key of the box, so that another key is noticed before anything is sealed with it. */
const proofText = 'capture'
const proofPlace = 'box.seal_proof'

/**
 * Seals the secrets of one database with the key in the file beside it.
 *
 * The key is made with the first secret that is stored. After that, a missing or another key is an error: a new one could
 * open nothing.
 */
class BoxSeal {
  private known: Seal | null = null

  constructor(private readonly raw: Database) {}

  /** Call inside the transaction that stores the value. @throws OperatorError without the box's key */
  seal(name: SealedName, identity: string, plain: string): string {
    return this.forWriting().seal(plain, placeOf(name, identity))
  }

  sealBytes(name: SealedName, identity: string, plain: Uint8Array): Buffer {
    return Buffer.from(this.forWriting().seal(plain, placeOf(name, identity)))
  }

  /** @throws OperatorError without the box's key */
  open(name: SealedName, identity: string, value: string): string {
    return this.forReading().open(value, placeOf(name, identity)).toString()
  }

  openBytes(name: SealedName, identity: string, value: Uint8Array): Uint8Array {
    const text = Buffer.from(value).toString('latin1')
    return new Uint8Array(this.forReading().open(text, placeOf(name, identity)))
  }

  /** @throws OperatorError when the database is sealed and the file beside it is missing or holds another key */
  assertFits(): void {
    if (readProof(this.raw) !== null) this.forReading()
  }

  /** The key, made if there is none. */
  key(): Uint8Array {
    this.forWriting()
    return fittingKey(this.raw)
  }

  private forReading(): Seal {
    this.known ??= new Seal(fittingKey(this.raw))
    return this.known
  }

  private forWriting(): Seal {
    if (readProof(this.raw) !== null) return this.forReading()
    const file = sealKeyFile(this.raw.filename)
    const seal = new Seal(readSealKey(file) ?? makeSealKey(file))
    this.raw
      .query<null, [string]>(
        `INSERT INTO box (id, revision, seal_proof) VALUES (1, 0, ?1)
         ON CONFLICT DO UPDATE SET seal_proof = coalesce(seal_proof, ?1)`,
      )
      .run(seal.seal(proofText, proofPlace))
    // Another process may have been first.
    return this.forReading()
  }
}

/** Seals by their connections. */
const seals = new WeakMap<Database, BoxSeal>()

export function sealOf(raw: Database): BoxSeal {
  const known = seals.get(raw)
  if (known !== undefined) return known
  const seal = new BoxSeal(raw)
  seals.set(raw, seal)
  return seal
}

/** `null`: nothing is sealed yet. */
export const readProof = (raw: Database): string | null =>
  raw.query<{ proof: string | null }, []>('SELECT seal_proof AS proof FROM box').get()?.proof ?? null

/** Whether the key opens what the database has sealed. */
export function fits(raw: Database, key: Uint8Array): boolean {
  try {
    const proof = readProof(raw)
    return proof === null || new Seal(key).open(proof, proofPlace).toString() === proofText
  } catch {
    return false
  }
}

/** Why the secrets cannot be opened; `null`: they can, or there are none. */
export function sealFault(raw: Database): Diagnosis | null {
  const { filename } = raw
  const file = sealKeyFile(filename)
  const key = readSealKey(file)
  if (readProof(raw) === null || (key !== null && fits(raw, key))) return null
  const found =
    key === null
      ? `The sealing key ${file} is missing, and the secrets in ${filename} open with it alone.`
      : `${file} is another box's sealing key, and the secrets in ${filename} open with their own alone.`
  const advice = `Put it back from a copy of the data folder, or from a backup: tar -xOf FILE seal.key > ${file} && chmod 600 ${file}; or restore the backup whole.`
  return { found, advice }
}

function fittingKey(raw: Database): Uint8Array {
  const fault = sealFault(raw)
  if (fault !== null) throw new OperatorError(`${fault.found} ${fault.advice}`)
  const key = readSealKey(sealKeyFile(raw.filename))
  // A sealed value without a proof: the row of the box is gone.
  if (key === null) throw new OperatorError(`The sealing key ${sealKeyFile(raw.filename)} is missing.`)
  return key
}

/** `table.column` */
export type SealedName = `${string}.${string}`

/** A column with secrets, as its table declares it. */
interface SealedColumn {
  name: SealedName
  table: string
  column: string
  /** See `TableFacts`. */
  row: string
  form: SecretForm
}

/**
 * Every column with secrets. Passwords, tokens, sessions, invitations, recovery codes and tracking keys are stored as hashes;
 * answers to repeated calls are encrypted under the caller's token.
 */
const columns: readonly SealedColumn[] = tables.flatMap(({ name: table, sealed }) =>
  Object.entries(sealed?.columns ?? {}).map(([column, form]) => ({
    name: `${table}.${column}` as const,
    ...{ table, column, form, row: sealed?.row ?? '' },
  })),
)
export const sealedNames = columns.map(({ name }) => name)

/** Binds a sealed value to its table, column and row: it opens in no other. */
function placeOf(name: SealedName, identity: string): string {
  if (!sealedNames.includes(name)) throw new Error(`the schema declares no secret in ${name}`)
  return `${name} ${identity}`
}

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

/** A row with its secret as it is stored: the bytes of a sealed text, or those of the secret itself. */
interface SecretRow {
  number: number
  identity: string
  value: string | Uint8Array
  secret: Uint8Array
}

const numbersOf = (raw: Database, { table, column }: SealedColumn): number[] =>
  raw
    .query<{ number: number }, []>(`SELECT ${rowNumber} AS number FROM ${table} WHERE "${column}" IS NOT NULL`)
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
  const [inner, member] = within(JSON.parse(String(value)) as JsonObject, form.json)
  const secret = inner?.[member]
  return typeof secret === 'string' ? Buffer.from(secret) : null
}

function withSecret(form: SecretForm, value: string | Uint8Array, sealed: string): string | Uint8Array {
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
