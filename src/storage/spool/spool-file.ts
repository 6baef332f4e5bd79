/** Begins each round in a file. On disk: never change it. */
const mark = Buffer.from('capture spool 1\n')
/** The mark, the bytes of the round, their checksum, and that of the head so far. */
const headBytes = mark.length + 12

/** Sealed bytes as they stand in a file. */
export function framed(sealed: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes)
  mark.copy(head)
  head.writeUInt32LE(sealed.byteLength, mark.length)
  head.writeUInt32LE(Bun.hash.crc32(sealed), mark.length + 4)
  head.writeUInt32LE(Bun.hash.crc32(head.subarray(0, headBytes - 4)), headBytes - 4)
  return Buffer.concat([head, sealed])
}

/** What stands in a file from a place on. */
type FoundFrame =
  | { is: 'round'; sealed: Buffer; at: number; end: number }
  /** Nothing, or the beginning of what a kill has cut off: nobody was told that it is kept. */
  | { is: 'end' }
  /** It goes on at `end`, perhaps with a round. */
  | { is: 'damage'; end: number }

export function readFrame(bytes: Buffer, at: number): FoundFrame {
  const left = bytes.length - at
  if (left < headBytes) return isBeginning(bytes, at) ? { is: 'end' } : damageUntil(bytes, at)
  if (!hasHead(bytes, at)) return damageUntil(bytes, at)
  const from = at + headBytes
  const end = from + bytes.readUInt32LE(at + mark.length)
  if (end > bytes.length) return { is: 'end' }
  const sealed = bytes.subarray(from, end)
  if (Bun.hash.crc32(sealed) !== bytes.readUInt32LE(at + mark.length + 4)) return damageUntil(bytes, at)
  return { is: 'round', sealed, at, end }
}

const isBeginning = (bytes: Buffer, at: number): boolean => {
  const rest = bytes.subarray(at, at + mark.length)
  return rest.equals(mark.subarray(0, rest.length))
}

const hasHead = (bytes: Buffer, at: number): boolean =>
  bytes.subarray(at, at + mark.length).equals(mark) &&
  Bun.hash.crc32(bytes.subarray(at, at + headBytes - 4)) === bytes.readUInt32LE(at + headBytes - 4)

function damageUntil(bytes: Buffer, at: number): FoundFrame {
  const next = bytes.indexOf(mark, at + 1)
  return { is: 'damage', end: next === -1 ? bytes.length : next }
}
