/** The unencrypted header at the start of every bundle's head. */
interface Header {
  /** The object's own name: the checksum covers it, so that a copy of another object is known without a key. */
  name: string
  /** Parts before the head: bytes and SHA-256 (hex) of each as it is stored. */
  parts: [bytes: number, sha256: string][]
  /** The data key, encrypted with age and armored; `null`: the bundle is not encrypted. */
  key: string | null
}

/** A copy of the database; the body is a SQLite file. */
interface BaseHeader extends Header {
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
  /** The key of the secrets in the database, sealed like a part, in base64; absent: none of them is sealed. */
  sealKey?: string
}

/** Entries of the ledger, and the changes of the state (increment-lines.ts). */
interface IncrementHeader extends Header {
  kind: 'increment'
  /** The position up to which the ledger was processed when the state was read. */
  processed: number
  program: string
  schema: number
}

/** `asset`: bytes of a page, an image or a file, or of a compressed variant. `list`: the published contents, or the erasures, of a base. */
interface PlainHeader<Kind> extends Header {
  kind: Kind
}

export type BundleHeader = BaseHeader | IncrementHeader | PlainHeader<'asset'> | PlainHeader<'list'>

const mark = 'capture-backup 1 '
const lineFeed = 10
const firstLineBytes = mark.length + 64 + 1

/**
 * A head is a line with the format and the SHA-256 of everything after it, a line with the header as JSON, and the last part of
 * the body. Every object can therefore be checked without a key, even by hand.
 */
export function encodeHead(header: string, body: Uint8Array): Uint8Array {
  const text = Buffer.from(`${header}\n`)
  const digest = new Bun.CryptoHasher('sha256').update(text).update(body).digest('hex')
  return Buffer.concat([Buffer.from(`${mark}${digest}\n`), text, body])
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
  const header = parsedHeader(text)
  if (header === null) throw new ObjectFault(name, 'is damaged: its header cannot be read')
  if (header.name !== name) throw new ObjectFault(name, 'is damaged: it was written under another name')
  return { header, text, body: rest.subarray(end + 1) }
}

function parsedHeader(text: string): BundleHeader | null {
  try {
    return JSON.parse(text) as BundleHeader
  } catch {
    return null
  }
}
