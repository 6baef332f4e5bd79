/** A picture of few colours. */
interface IndexedPicture {
  width: number
  height: number
  /** Red, green, blue and opacity, 0 to 255 each; at most 256 of them. */
  palette: readonly (readonly [red: number, green: number, blue: number, opacity: number])[]
  /** The palette's number of each pixel, row by row. */
  pixels: Uint8Array
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const bitDepth = 8
const indexedColour = 3

/** The picture as PNG (W3C Portable Network Graphics, third edition). */
export function encodePng({ width, height, palette, pixels }: IndexedPicture): Uint8Array {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([bitDepth, indexedColour], 8)
  const colours = Uint8Array.from(palette.flatMap((colour) => colour.slice(0, 3)))
  const opacities = Uint8Array.from(palette, ([, , , opacity]) => opacity)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('tRNS', opacities),
    chunk('IDAT', zlib(unfiltered(pixels, width, height))),
    chunk('IEND', new Uint8Array()),
  ])
}

/** Each row begins with the number of its filter: 0, none. Rows of bars are alike, and deflate does the rest. */
function unfiltered(pixels: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array((width + 1) * height)
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  }
  return rows
}

/** RFC 1950 around RFC 1951. */
function zlib(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  const checksum = new Uint8Array(4)
  new DataView(checksum.buffer).setUint32(0, Bun.hash.adler32(bytes))
  return Buffer.concat([Uint8Array.of(0x78, 0x9c), Bun.deflateSync(bytes), checksum])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = Buffer.concat([new TextEncoder().encode(type), data])
  const frame = new Uint8Array(named.length + 8)
  const view = new DataView(frame.buffer)
  view.setUint32(0, data.length)
  frame.set(named, 4)
  view.setUint32(named.length + 4, Bun.hash.crc32(named))
  return frame
}
