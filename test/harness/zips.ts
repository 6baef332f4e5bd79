import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip, right or wrong in whatever way a test asks for. */
export interface AnEntry {
  name: string
  content: string | Uint8Array
  /** Of Unix, in the upper half of the external attributes. */
  mode?: number
  crc?: number
  /** General purpose bits; 1 is encryption. */
  flags?: number
  /** What the directory says of the size. */
  byteCount?: number
}

/** A zip as APPNOTE.TXT describes it, deflated, written by hand so that it can be wrong. */
export function aZip(entries: AnEntry[]): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const content = Buffer.from(entry.content)
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800 | (entry.flags ?? 0), 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(entry.crc ?? crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(entry.byteCount ?? content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed])
    const head = Buffer.alloc(6)
    head.write('PK\x01\x02')
    head.writeUInt16LE((3 << 8) | 20, 4)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([head, common, tail, name]))
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...locals, listed, end]))
}

/** The folder of a site as a zip. */
export const zipOf = (files: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> =>
  aZip(Object.entries(files).map(([name, content]) => ({ name, content })))
