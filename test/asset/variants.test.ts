import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { compressedVariants, isCompressible } from '../../src/asset/variants.ts'

const page = new TextEncoder().encode('<p>Come and see our spring collection.</p>\n'.repeat(100))

describe('compressed variants', () => {
  test('a page has brotli first, then gzip', async () => {
    expect((await compressedVariants(page, 'text/html')).map(({ encoding }) => encoding)).toEqual(['br', 'gzip'])
  })

  test('each gives back the bytes as published', async () => {
    const [br, gzip] = await compressedVariants(page, 'text/html')
    expect(new Uint8Array(brotliDecompressSync(br?.bytes ?? page))).toEqual(page)
    expect(new Uint8Array(gunzipSync(gzip?.bytes ?? page))).toEqual(page)
  })

  test('any text comes back whole, from variants at least a tenth smaller', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.lorem(), { maxLength: 30 }), async (words) => {
        const bytes = new TextEncoder().encode(words.join(' '))
        for (const variant of await compressedVariants(bytes, 'text/plain')) {
          const decoded = variant.encoding === 'br' ? brotliDecompressSync(variant.bytes) : gunzipSync(variant.bytes)
          expect(new Uint8Array(decoded)).toEqual(bytes)
          expect(variant.bytes.byteLength).toBeLessThanOrEqual(bytes.byteLength * 0.9)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('what hardly shrinks has none', async () => {
    expect(await compressedVariants(new Uint8Array(randomBytes(5000)), 'text/plain')).toEqual([])
  })

  test('nothing has none', async () => {
    expect(await compressedVariants(new Uint8Array(), 'text/html')).toEqual([])
  })

  test('a photograph is not tried, however well it would shrink', async () => {
    expect(await compressedVariants(page, 'image/jpeg')).toEqual([])
  })

  test('what would take too much memory is not tried', async () => {
    expect(await compressedVariants(new Uint8Array(33 * 1024 * 1024), 'text/plain')).toEqual([])
  })

  for (const type of ['text/html', 'TEXT/HTML; charset=utf-8', 'image/svg+xml', 'application/ld+json', 'text/csv']) {
    test(`${type} is compressible`, () => {
      expect(isCompressible(type)).toBe(true)
    })
  }

  for (const type of ['image/png', 'application/pdf', 'application/zip', 'video/mp4', 'application/octet-stream', '']) {
    test(`"${type}" is not compressible`, () => {
      expect(isCompressible(type)).toBe(false)
    })
  }
})
