import type { Database } from 'bun:sqlite'
import type { JsonObject } from '../../../lib/json-value.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { Seal } from '../../../lib/seal.ts'
import type { Diagnosis } from '../../../operations/check-result.ts'
import { makeSealKey, readSealKey, sealKeyFile } from '../../disk/seal-key-file.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'

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

/** A column whose values are sealed, or of whose JSON one value is. */
interface SealedColumn {
  table: string
  column: string
  /** Selects a row. */
  primaryKey: string
  /**
   * Names the row for as long as the value is used, on this box and on another that it moves to: a value sealed for one row
   * opens in no other.
   */
  identity: string
  form: 'text' | 'bytes' | { json: readonly string[] }
}

const accountOfRow = (table: string): string =>
  `(SELECT account.id FROM account WHERE account.row = ${table}.account_row)`
const ofDestination = {
  table: 'destination',
  primaryKey: 'row',
  identity: `${accountOfRow('destination')} || ' ' || name`,
}

/**
 * Every secret that the database holds and that the box must be able to read again. Passwords, tokens, sessions, invitations,
 * recovery codes and tracking keys are stored as hashes; answers to repeated calls are encrypted under the caller's token.
 */
export const sealedColumns = {
  signingKey: { table: 'signing_key', column: 'secret', primaryKey: 'id', identity: 'id', form: 'bytes' },
  movedSigningKey: {
    table: 'moved_signing_key',
    column: 'secret',
    primaryKey: `account_row || ' ' || id`,
    identity: `${accountOfRow('moved_signing_key')} || ' ' || id`,
    form: 'bytes',
  },
  totpSeed: { table: 'console_user', column: 'totp_secret', primaryKey: 'id', identity: 'id', form: 'bytes' },
  webhookSecret: { ...ofDestination, column: 'secret', form: 'text' },
  previousWebhookSecret: { ...ofDestination, column: 'previous_secret', form: 'text' },
  /** Of a webhook or a chat: whoever knows it can post there. */
  destinationAddress: { ...ofDestination, column: 'definition', form: { json: ['url'] } },
  botCheckSecret: {
    table: 'account',
    column: 'settings',
    primaryKey: 'row',
    identity: 'id',
    form: { json: ['botCheck', 'secret'] },
  },
  certificateKey: { table: 'certificate', column: 'key', primaryKey: 'host', identity: 'host', form: 'text' },
  authorityAccountKey: {
    table: 'acme_account',
    column: 'key',
    primaryKey: 'directory',
    identity: 'directory',
    form: 'text',
  },
} as const satisfies Record<string, SealedColumn>

export type SealedName = keyof typeof sealedColumns

/** Binds a sealed value to its table, column and row. */
const placeOf = (name: SealedName, identity: string): string => {
  const { table, column } = sealedColumns[name]
  return `${table}.${column} ${identity}`
}

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
