// docs/site-folder.md, "Images": bytes that are none of the type that the name says.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { always } from '../../src/asset/asset.ts'
import { doubtfulImages } from '../../src/site/asset-bytes.ts'
import { siteFaultLine } from '../../src/site/site-faults.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-images-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function warningsOf(
  name: string,
  bytes: string | Uint8Array,
  kind: 'image' | 'file' = 'image',
): Promise<string[]> {
  const file = join(dir, name)
  writeFileSync(file, bytes)
  const image = { kind, name, shown: `img/${name}`, file, byteCount: bytes.length, state: 'live', ...always } as const
  return (await doubtfulImages([image])).map(siteFaultLine)
}

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

const images: [name: string, bytes: string | Uint8Array][] = [
  ['a.png', latin1(png)],
  ['a.apng', latin1(png)],
  ['A.JPG', latin1('\xff\xd8\xff\xe0\0\x10JFIF')],
  ['a.jpeg', latin1('\xff\xd8\xff\xe1')],
  ['a.gif', latin1('GIF89a')],
  ['a.webp', latin1('RIFF\x24\0\0\0WEBPVP8 ')],
  ['a.avif', latin1('\0\0\0\x1cftypavif\0\0\0\0')],
  ['b.avif', latin1('\0\0\0\x1cftypmif1\0\0\0\0mif1avif')],
  ['a.ico', latin1('\0\0\x01\0\x01\0')],
  ['b.ico', latin1(png)],
  ['a.bmp', latin1('BM\x36')],
  ['a.svg', svg],
  ['b.svg', `\ufeff<?xml version="1.0"?>\n<!-- A drawing -->\n${svg}`],
  ['c.svg', new Uint8Array(Buffer.from(`\ufeff${svg}`, 'utf16le'))],
]

test.each(images)('nothing is said of %s with bytes of its type', async (name, bytes) => {
  expect(await warningsOf(name, bytes)).toEqual([])
})

describe('a warning names', () => {
  test.each([
    ['a page called a picture', 'a.png', '<!doctype html><script>alert(1)</script>', 'a PNG'],
    ['a JPEG called a PNG', 'b.png', latin1('\xff\xd8\xff\xe0'), 'a PNG'],
    ['an empty file', 'a.webp', '', 'a WebP'],
    ['a picture called a drawing', 'a.svg', latin1(png), 'an SVG'],
    ['a video called an AVIF', 'a.avif', latin1('\0\0\0\x1cftypisom'), 'an AVIF'],
  ])('%s', async (_what, name, bytes, type) => {
    expect(await warningsOf(name, bytes)).toEqual([
      `img/${name}: is not ${type} image, whatever its name says, and browsers will not show it. Save it anew, or rename it`,
    ])
  })
})

test('a file below files/ may be anything', async () => {
  expect(await warningsOf('a.png', 'text', 'file')).toEqual([])
})
