/** Everything in an archive comes in blocks of this many bytes (POSIX.1-2024, pax, "ustar Interchange Format"). */
export const blockBytes = 512

/** The most that a header's eleven octal digits can say; beyond, a pax record says it. */
const octalSizeMax = 0o77777777777
const nameBytesMax = 100

/** What stands before an entry's bytes. */
export interface EntryHeader {
  name: string
  byteCount: number
  /** What may be done with it; readable by its owner alone where nothing is said. A reader does not look at it. */
  mode?: number
}

/** An archive that is not one, or not whole. The message goes on after "it …" and says what was found. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
}

/** The header of a regular file, and before it, for one of 8 GiB and more, the pax record with its size. */
export function encodeHeader({ name, byteCount, mode }: EntryHeader, modifiedAtSeconds: number): Uint8Array {
  if (byteCount <= octalSizeMax) return block({ name, byteCount, mode, type: '0', modifiedAtSeconds })
  const record = new TextEncoder().encode(paxRecord('size', String(byteCount)))
  const pax = block({
    name: `pax/${name}`.slice(0, nameBytesMax),
    byteCount: record.length,
    type: 'x',
    modifiedAtSeconds,
  })
  // Readers take the size from the record; the field cannot hold it.
  const file = block({ name, byteCount: 0, mode, type: '0', modifiedAtSeconds })
  return Buffer.concat([pax, record, padding(record.length), file])
}

/** The header of a folder that everybody may look into; its name ends in a slash. */
export const encodeFolder = (name: string, modifiedAtSeconds: number): Uint8Array =>
  block({ name, byteCount: 0, mode: 0o755, type: '5', modifiedAtSeconds })

/** Zeros up to the next whole block. */
export const padding = (byteCount: number): Uint8Array => new Uint8Array(paddingBytes(byteCount))

export const paddingBytes = (byteCount: number): number => (blockBytes - (byteCount % blockBytes)) % blockBytes

interface Block {
  name: string
  byteCount: number
  mode?: number | undefined
  type: '0' | '5' | 'x'
  modifiedAtSeconds: number
}

/** Root's, or nobody's: what is unpacked by anybody else belongs to whoever unpacks it. */
function block({ name, byteCount, mode = 0o600, type, modifiedAtSeconds }: Block): Uint8Array {
  if (Buffer.byteLength(name) > nameBytesMax) throw new Error(`an archive's entry has too long a name: ${name}`)
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  header.write(octal(mode, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(byteCount, 11), 124)
  header.write(octal(modifiedAtSeconds, 11), 136)
  header.write(type, 156)
  header.write('ustar\u000000', 257)
  header.write(`${octal(checksum(header), 6)}\u0000 `, 148)
  return header
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

/** The record's length counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = rest.length
  while (`${length}${rest}`.length !== length) length = `${length}${rest}`.length
  return `${length}${rest}`
}

/** The sum of all bytes, those of the checksum itself counted as blanks. */
function checksum(header: Uint8Array): number {
  let sum = 8 * 0x20
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

/**
 * Reads a header; `null`: it is a block of zeros, which ends an archive. Anything but a regular file and its pax
 * record is a fault: no link, folder or device is ever followed or made.
 *
 * @throws ArchiveFault
 */
export function decodeHeader(bytes: Uint8Array): (EntryHeader & { type: '0' | 'x' }) | null {
  const header = Buffer.from(bytes)
  if (header.every((byte) => byte === 0)) return null
  if (header.toString('latin1', 257, 265) !== 'ustar\u000000')
    throw new ArchiveFault('contains something that is not an archive')
  if (readOctal(header, 148, 8) !== checksum(header)) throw new ArchiveFault('has a damaged header')
  const type = header.toString('latin1', 156, 157)
  const name = text(header, 0, nameBytesMax)
  if (type !== '0' && type !== 'x') throw new ArchiveFault(`holds "${name}", which is not a regular file`)
  if (text(header, 345, 155) !== '') throw new ArchiveFault(`holds "${name}" in a folder that no backup has`)
  return { name, byteCount: readOctal(header, 124, 12), type }
}

/** The size in a pax header's content. @throws ArchiveFault when it says anything else */
export function decodePaxSize(content: Uint8Array): number {
  const written = Buffer.from(content).toString('latin1')
  const size = Number(/^[0-9]{1,4} size=([0-9]{1,15})\n$/.exec(written)?.[1] ?? 'none')
  if (Number.isSafeInteger(size) && paxRecord('size', String(size)) === written) return size
  throw new ArchiveFault('has a pax header that no backup has')
}

function readOctal(header: Buffer, from: number, bytes: number): number {
  const digits = /^ *([0-7]+)[\0 ]*$/.exec(header.toString('latin1', from, from + bytes))?.[1]
  if (digits === undefined) throw new ArchiveFault('has a damaged header')
  return Number.parseInt(digits, 8)
}

/** Up to the first zero byte. */
function text(header: Buffer, from: number, bytes: number): string {
  const field = header.subarray(from, from + bytes)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? bytes : end)
}
