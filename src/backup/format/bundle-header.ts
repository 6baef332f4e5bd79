/** The unencrypted header at the start of every bundle's head. */
interface Header {
  /** Parts before the head: bytes and SHA-256 (hex) of each as it is stored. */
  parts: [bytes: number, sha256: string][]
  /** The data key, encrypted with age and armored; `null`: the bundle is not encrypted. */
  key: string | null
}

/** A copy of the database; the body is a SQLite file. */
export interface BaseHeader extends Header {
  kind: 'base'
  /** The position up to which the copy has processed its ledger. */
  processed: number
  /** The version of the program that wrote it. */
  program: string
  /** Migrations of the copied database. Increments fit only a base with the same number. */
  schema: number
  /** Bytes of the database. */
  databaseBytes: number
  /** Published contents that the copy names and the box had lost. */
  missingAssets: number
}

/** Entries of the ledger, and the changes of the state (increment-lines.ts). */
export interface IncrementHeader extends Header {
  kind: 'increment'
  /** The position up to which the ledger was processed when the state was read. */
  processed: number
  program: string
  schema: number
}

/** Bytes of a page, an image or a file, or of one of its compressed variants. */
export interface AssetHeader extends Header {
  kind: 'asset'
}

/** The published contents, or the erasures, of a base. */
export interface ListHeader extends Header {
  kind: 'list'
}

export type BundleHeader = BaseHeader | IncrementHeader | AssetHeader | ListHeader

/**
 * A head is a line with the format and the SHA-256 of everything after it, a line with the header as JSON, and the last part of
 * the body. Every object can therefore be checked without a key, even by hand.
 */
export function headText(header: BundleHeader): string {
  return JSON.stringify(header)
}

const mark = 'capture-backup 1 '
const lineFeed = 10
const firstLineBytes = mark.length + 64 + 1

export function encodeHead(header: string, body: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(`${header}\n`)
  const digest = new Bun.CryptoHasher('sha256').update(text).update(body).digest('hex')
  const first = new TextEncoder().encode(`${mark}${digest}\n`)
  const whole = new Uint8Array(first.length + text.length + body.length)
  whole.set(first)
  whole.set(text, first.length)
  whole.set(body, first.length + text.length)
  return whole
}

/** A damaged, missing or foreign object. `message` completes the sentence that begins with its name. */
export class ObjectFault extends Error {
  constructor(
    /** The object's name at its target. */
    readonly object: string,
    message: string,
  ) {
    super(message)
  }
}

export interface Head<H extends BundleHeader = BundleHeader> {
  header: H
  /** The header's text, to which the encryption binds the body. */
  text: string
  /** The body's last part as stored. */
  body: Uint8Array<ArrayBuffer>
}

/** @throws ObjectFault */
export function decodeHead(name: string, bytes: Uint8Array<ArrayBuffer>): Head {
  const first = new TextDecoder().decode(bytes.subarray(0, firstLineBytes))
  if (!/^capture-backup \d+ /.test(first)) throw new ObjectFault(name, 'was not written by capture')
  if (!first.startsWith(mark)) throw new ObjectFault(name, 'was written by a newer version of capture')
  const rest = bytes.subarray(firstLineBytes)
  if (Bun.SHA256.hash(rest, 'hex') !== first.slice(mark.length).trimEnd())
    throw new ObjectFault(name, 'is damaged: it does not match its checksum')
  const end = rest.indexOf(lineFeed)
  const text = new TextDecoder().decode(rest.subarray(0, end))
  try {
    return { header: JSON.parse(text) as BundleHeader, text, body: rest.subarray(end + 1) }
  } catch {
    throw new ObjectFault(name, 'is damaged: its header cannot be read')
  }
}
