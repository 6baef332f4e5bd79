import { expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { encodePng } from '../../src/lib/png.ts'

interface Chunk {
  type: string
  data: Buffer
}

/** Reads the chunks as the standard lays them out, checksums included. */
function chunksOf(png: Uint8Array): Chunk[] {
  const bytes = Buffer.from(png)
  expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
  const chunks: Chunk[] = []
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const named = bytes.subarray(at + 4, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(Bun.hash.crc32(named))
    chunks.push({ type: named.subarray(0, 4).toString(), data: named.subarray(4) })
    at += 12 + length
  }
  return chunks
}

const byte = fc.nat(255)
const pictures = fc
  .record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
    palette: fc.array(fc.tuple(byte, byte, byte, byte), { minLength: 1, maxLength: 20 }),
  })
  .chain(({ width, height, palette }) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height, max: palette.length - 1 })
      .map((pixels) => ({ width, height, palette, pixels })),
  )

test('a picture is read back from its PNG as it was', () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      const { width, height, palette, pixels } = picture
      const chunks = chunksOf(encodePng(picture))
      const [header, colours, opacities, data, end] = chunks.map((chunk) => chunk.data)
      expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
      expect([header?.readUInt32BE(0), header?.readUInt32BE(4)]).toEqual([width, height])
      expect([...(header?.subarray(8) ?? [])]).toEqual([8, 3, 0, 0, 0])
      expect([...(colours ?? [])]).toEqual(palette.flatMap((colour) => colour.slice(0, 3)))
      expect([...(opacities ?? [])]).toEqual(palette.map(([, , , opacity]) => opacity))
      const rows = inflateSync(data ?? Buffer.alloc(0))
      const read = Array.from({ length: height }, (_, row) => [
        ...rows.subarray(row * (width + 1) + 1, (row + 1) * (width + 1)),
      ])
      expect(rows).toHaveLength((width + 1) * height)
      expect(read.flat()).toEqual([...pixels])
      expect(end).toHaveLength(0)
    }),
  )
})
