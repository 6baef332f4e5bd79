import { expect, test } from 'bun:test'
import decodeQR from 'qr/decode.js'
import { qrPicture } from '../../src/console/look/qr-picture.ts'

const pixelsAModule = 4

/** The picture as a camera would see it: grey values, row by row. */
function seen(svg: string): { width: number; height: number; data: Uint8Array } {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const width = size * pixelsAModule
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < pixelsAModule; row++) {
      const from = ((Number(y) * pixelsAModule + row) * width + Number(x) * pixelsAModule) * 4
      for (let pixel = 0; pixel < pixelsAModule; pixel++) data.fill(0, from + pixel * 4, from + pixel * 4 + 3)
    }
  }
  return { width, height: width, data }
}

test('the picture of a key is read back as the key', () => {
  const uri = 'otpauth://totp/Capture:owner%40agency.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Capture'
  expect(decodeQR(seen(qrPicture(uri, 'the key').text))).toBe(uri)
})
