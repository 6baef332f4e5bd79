import type { FileType } from '../../account/file-type.ts'

/** How much of a file's beginning tells its type. */
const headBytes = 4096

/**
 * What a file is by its bytes, whatever it is called; `null`: none of the table. Of several possible types the one that the file's
 * own structure states: a `docx` is a zip, but is never told as one.
 */
export async function fileKindOf(file: Blob): Promise<FileType | null> {
  const head = await file.slice(0, headBytes).bytes()
  const begun = signatures.find(({ at = 0, bytes }) => startsWith(head, bytes, at))
  if (begun === undefined) return (await isPlainText(file)) ? 'txt' : null
  const { type } = begun
  if (type === 'zip') return zipKindOf(file, head)
  return typeof type === 'string' ? type : type(head)
}

interface Signature {
  at?: number
  bytes: readonly number[] | string
  type: FileType | ((head: Uint8Array) => FileType | null)
}

const signatures: readonly Signature[] = [
  { bytes: '%PDF-', type: 'pdf' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], type: 'zip' },
  { bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], type: 'png' },
  { bytes: [0xff, 0xd8, 0xff], type: 'jpg' },
  { bytes: 'GIF87a', type: 'gif' },
  { bytes: 'GIF89a', type: 'gif' },
  { bytes: 'RIFF', type: (head) => riffTypes[text(head, 8, 12)] ?? null },
  { at: 4, bytes: 'ftyp', type: (head) => brandType(text(head, 8, 12)) },
  { bytes: [0x49, 0x49, 0x2a, 0x00], type: 'tiff' },
  { bytes: [0x4d, 0x4d, 0x00, 0x2a], type: 'tiff' },
  { bytes: '{\\rtf1', type: 'rtf' },
  { bytes: [0x1a, 0x45, 0xdf, 0xa3], type: (head) => (text(head, 0, 64).includes('webm') ? 'webm' : null) },
  { bytes: 'ID3', type: 'mp3' },
  { bytes: [0xff, 0xfb], type: 'mp3' },
  { bytes: [0xff, 0xf3], type: 'mp3' },
]

const riffTypes: Readonly<Record<string, FileType>> = { WEBP: 'webp', WAVE: 'wav' }

/** Major brands of ISO base media files (ISO/IEC 14496-12 section 4.3). */
function brandType(brand: string): FileType | null {
  if (/^avi[fs]$/.test(brand)) return 'avif'
  if (/^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand)) return 'heic'
  if (brand === 'qt  ') return 'mov'
  if (brand.startsWith('M4A')) return 'm4a'
  return /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |dash|MSNV|3gp[4-9])$/.test(brand) ? 'mp4' : null
}

const text = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1')

function startsWith(head: Uint8Array, bytes: Signature['bytes'], at: number): boolean {
  const wanted = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
  return head.length >= at + wanted.length && [...wanted].every((byte, index) => head[at + index] === byte)
}

/** The end of a zip: its last record, with the longest comment (APPNOTE.TXT section 4.3.16). */
const endBytesMax = 22 + 65_535
const directoryBytesMax = 2_097_152
const entriesMax = 20_000

/** The parts that make a zip a document (ECMA-376 part 2; OpenDocument part 2 section 3.3). */
const documentParts: readonly [part: string, type: FileType][] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
]
const odfTypes: Readonly<Record<string, FileType>> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
}

/** `null`: not a sound zip, or a document with macros, which is of no type that its ending could say. */
async function zipKindOf(file: Blob, head: Uint8Array): Promise<FileType | null> {
  const names = await zipNames(file)
  if (names === null) return null
  if (names.has('[Content_Types].xml')) {
    if ([...names].some((name) => /vbaProject\.bin$/i.test(name))) return null
    return documentParts.find(([part]) => names.has(part))?.[1] ?? null
  }
  if (!names.has('mimetype')) return 'zip'
  // The first entry, neither compressed nor with extra fields.
  const stated = /^mimetype(application\/[a-z.-]+?)PK/.exec(text(head, 30, 200))?.[1]
  return (stated !== undefined && odfTypes[stated]) || null
}

/** The names in a zip's directory; `null`: it has none that can be read. */
async function zipNames(file: Blob): Promise<ReadonlySet<string> | null> {
  const end = Buffer.from(await file.slice(Math.max(0, file.size - endBytesMax)).arrayBuffer())
  const at = end.lastIndexOf('PK\x05\x06')
  if (at === -1 || at + 22 > end.length) return null
  const count = end.readUInt16LE(at + 10)
  const bytes = end.readUInt32LE(at + 12)
  const from = end.readUInt32LE(at + 16)
  if (bytes > directoryBytesMax || count > entriesMax || from + bytes > file.size) return null
  const directory = Buffer.from(await file.slice(from, from + bytes).arrayBuffer())
  const names = new Set<string>()
  for (let position = 0; names.size < count; ) {
    if (position + 46 > directory.length || directory.readUInt32LE(position) !== 0x02014b50) return null
    const nameEnd = position + 46 + directory.readUInt16LE(position + 28)
    const known = names.size
    names.add(directory.toString('utf8', position + 46, nameEnd))
    // An entry twice is read differently by different programs.
    if (names.size === known) return null
    position = nameEnd + directory.readUInt16LE(position + 30) + directory.readUInt16LE(position + 32)
  }
  return names
}

/** UTF-8 without control characters. Not what begins as a page or a picture would, which a browser could run. */
async function isPlainText(file: Blob): Promise<boolean> {
  if (file.size === 0) return false
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  try {
    for await (const chunk of file.stream()) {
      const decoded = decoder.decode(chunk, { stream: true })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      if (/[\x00-\x08\x0b\x0e-\x1f\x7f]/.test(decoded)) return false
      if (isFirst && /^\s*</.test(decoded)) return false
      isFirst = false
    }
    decoder.decode()
    return true
  } catch {
    return false
  }
}
