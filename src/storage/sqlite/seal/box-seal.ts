import type { Database } from 'bun:sqlite'
import { OperatorError } from '../../../lib/operator-error.ts'
import { Seal } from '../../../lib/seal.ts'
import type { Diagnosis } from '../../../operations/check-result.ts'
import { makeSealKey, readSealKey, sealKeyFile } from '../../disk/seal-key-file.ts'

/** Sealed under the key of the box, so that another key is noticed before anything is sealed with it. */
export const proofText = 'capture'
export const proofPlace = 'box.seal_proof'

/**
 * Seals the secrets of one database with the key in the file beside it.
 *
 * The key is made with the first secret that is stored. After that, a missing or another key is an error: a new one could
 * open nothing.
 */
export class BoxSeal {
  private known: Seal | null = null

  constructor(private readonly raw: Database) {}

  /** Call inside the transaction that stores the value. @throws OperatorError without the box's key */
  seal(name: SealedName, identity: string, plain: string): string {
    return this.forWriting().seal(plain, placeOf(name, identity))
  }

  sealBytes(name: SealedName, identity: string, plain: Uint8Array): Buffer {
    return Buffer.from(this.forWriting().seal(plain, placeOf(name, identity)))
  }

  /** @throws OperatorError without the box's key, and for a damaged value */
  open(name: SealedName, identity: string, value: string): string {
    return this.sound(name, identity, this.opened(name, identity, value)).toString()
  }

  openBytes(name: SealedName, identity: string, value: Uint8Array): Uint8Array {
    const text = Buffer.from(value).toString('latin1')
    return new Uint8Array(this.sound(name, identity, this.opened(name, identity, text)))
  }

  /** As `open`; `null`: damaged. For what can be had anew. */
  openIfSound(name: SealedName, identity: string, value: string): string | null {
    return this.opened(name, identity, value)?.toString() ?? null
  }

  private opened(name: SealedName, identity: string, value: string): Buffer | null {
    const seal = this.forReading()
    try {
      return seal.open(value, placeOf(name, identity))
    } catch {
      return null
    }
  }

  private sound(name: SealedName, identity: string, opened: Buffer | null): Buffer {
    if (opened !== null) return opened
    throw new OperatorError(`The secret ${name} of ${identity} is damaged. ${restored}`)
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

/** What helps where nothing makes the secret anew. */
export const restored = 'Restore the latest backup from before the damage.'

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

/** `table.column`, as the schema declares it. */
export type SealedName = `${string}.${string}`

/** Binds a sealed value to its table, column and row: it opens in no other. */
export const placeOf = (name: SealedName, identity: string): string => `${name} ${identity}`
