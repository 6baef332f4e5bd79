// docs/files.md, "Types": the bytes tell the type, whatever the name says.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { fileKindOf } from '../../../src/capture/file/file-kind.ts'
import { docx, pdf } from '../../harness/visitor-files.ts'
import { aZip, zipOf } from '../../harness/zips.ts'

const types = '[Content_Types].xml'
const bytes = (...values: (number | string)[]) =>
  new Uint8Array(
    Buffer.concat(
      values.map((value) => (typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from([value]))),
    ),
  )

/** As the programs write it: the first entry, stored. */
function openDocument(type: string): Uint8Array {
  const zip = Buffer.from(zipOf({ mimetype: `application/vnd.oasis.opendocument.${type}` }))
  const content = Buffer.from(`application/vnd.oasis.opendocument.${type}`)
  const local = Buffer.concat([
    Buffer.from('PK\x03\x04'),
    Buffer.alloc(22),
    Buffer.from([8, 0, 0, 0]),
    Buffer.from('mimetype'),
    content,
  ])
  const directory = zip.subarray(zip.indexOf('PK\x01\x02'), zip.indexOf('PK\x05\x06'))
  const end = Buffer.from(zip.subarray(zip.indexOf('PK\x05\x06')))
  end.writeUInt32LE(local.length, 16)
  return new Uint8Array(Buffer.concat([local, directory, end]))
}

test.each<[string, string, Uint8Array]>([
  ['a PDF', 'pdf', pdf()],
  ['a text document', 'docx', docx()],
  ['a workbook', 'xlsx', zipOf({ [types]: '', 'xl/workbook.xml': '' })],
  ['slides', 'pptx', zipOf({ [types]: '', 'ppt/presentation.xml': '' })],
  ['an OpenDocument text', 'odt', openDocument('text')],
  ['a plain zip', 'zip', zipOf({ 'a.txt': 'a' })],
  ['a zip with a file named like a part of a document', 'zip', zipOf({ 'word/document.xml': '' })],
  ['a PNG', 'png', bytes(0x89, 'PNG\r\n', 0x1a, '\n')],
  ['a JPEG', 'jpg', bytes(0xff, 0xd8, 0xff, 0xe0)],
  ['a WebP', 'webp', bytes('RIFF', 0, 0, 0, 0, 'WEBP')],
  ['a picture of a phone', 'heic', bytes(0, 0, 0, 24, 'ftypheic')],
  ['a film', 'mp4', bytes(0, 0, 0, 24, 'ftypisom')],
  ['rich text', 'rtf', bytes('{\\rtf1\\ansi')],
  ['plain text', 'txt', new TextEncoder().encode('Größe: 5 < 6\n')],
])('%s is told as %s', async (_, type, content) => {
  expect(await fileKindOf(new Blob([content as Uint8Array<ArrayBuffer>]))).toBe(type as never)
})

test.each<[string, Uint8Array]>([
  ['nothing', new Uint8Array()],
  ['HTML', bytes('<!doctype html><script>alert(1)</script>')],
  ['HTML behind blanks', bytes(' \n\t<html>')],
  ['HTML behind a byte order mark', bytes(0xef, 0xbb, 0xbf, '<html>')],
  ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['a PDF behind something else', bytes('<html>%PDF-1.4')],
  ['text with a null', bytes('text', 0)],
  ['text in another encoding', bytes('Gr', 0xf6, 0xdf, 'e')],
  ['a program', bytes(0x7f, 'ELF')],
  ['a document with macros', zipOf({ [types]: '', 'word/document.xml': '', 'word/vbaProject.bin': 'x' })],
  ['a document of an unknown kind', zipOf({ [types]: '', 'visio/document.xml': '' })],
  ['a zip without its directory', bytes('PK', 3, 4, 'no more')],
  [
    'a zip whose directory has an entry twice',
    aZip([
      { name: 'a', content: '1' },
      { name: 'a', content: '2' },
    ]),
  ],
])('%s is told as nothing', async (_, content) => {
  expect(await fileKindOf(new Blob([content as Uint8Array<ArrayBuffer>]))).toBeNull()
})

const sound = [pdf(), docx(), openDocument('text'), zipOf({ 'a.txt': 'a' }), new TextEncoder().encode('text')]

test('a page, or a picture that runs, is told as nothing, whatever follows its beginning', async () => {
  const active = fc.constantFrom(
    '<!doctype html>',
    '<script>alert(1)</script>',
    '<svg onload="alert(1)">',
    '<?xml version="1.0"?>',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.stringMatching(/^\s{0,9}$/),
      active,
      fc.uint8Array({ maxLength: 200 }),
      async (blanks, begin, rest) => {
        expect(await fileKindOf(new Blob([blanks + begin, rest as Uint8Array<ArrayBuffer>]))).toBeNull()
      },
    ),
  )
})

test('a file that is damaged anywhere is told as something or nothing, and never fails', async () => {
  const damaged = fc.tuple(fc.constantFrom(...sound), fc.nat(), fc.nat(), fc.uint8Array({ maxLength: 20 }))
  await fc.assert(
    fc.asyncProperty(damaged, async ([bytes, at, cut, patch]) => {
      const content = new Uint8Array([...bytes, ...patch])
      content.set(patch, at % (bytes.length + 1))
      await fileKindOf(new Blob([content.subarray(0, content.length - (cut % content.length))]))
    }),
    { numRuns: 500 },
  )
})
