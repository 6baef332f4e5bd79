import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  ArchiveFault,
  decodeHeader,
  decodePaxSize,
  encodeHeader,
  UstarReader,
  UstarWriter,
} from '../../../src/lib/ustar.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ustar-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

interface Entry {
  name: string
  bytes: Uint8Array
}

async function archiveOf(entries: Entry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const writer = new UstarWriter(async (bytes) => void chunks.push(bytes.slice()), 1_700_000_000)
  for (const { name, bytes } of entries) await writer.entry({ name, byteCount: bytes.length }, [bytes])
  await writer.end()
  return Buffer.concat(chunks)
}

async function entriesIn(archive: Uint8Array): Promise<(Entry & { digestBefore: string })[]> {
  const file = join(dir, 'archive.tar')
  writeFileSync(file, archive)
  const handle = await open(file, 'r')
  try {
    const reader = new UstarReader(handle, archive.length)
    const entries = []
    for (let entry = await reader.next(); entry !== null; entry = await reader.next()) {
      const chunks: Uint8Array[] = []
      for await (const chunk of entry.chunks()) chunks.push(chunk.slice())
      entries.push({ name: entry.name, bytes: Buffer.concat(chunks), digestBefore: entry.digestBefore })
    }
    return entries
  } finally {
    await handle.close()
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const name = fc.stringMatching(/^[a-z0-9][a-z0-9/.-]{0,98}$/)
const entry = fc.record({ name, bytes: fc.uint8Array({ maxLength: 2000 }) })

describe('an archive', () => {
  test('gives back any entries, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 5 }), async (entries) => {
        const read = await entriesIn(await archiveOf(entries))
        expect(read.map(({ name, bytes }) => [name, [...bytes]])).toEqual(
          entries.map(({ name, bytes }) => [name, [...bytes]]),
        )
      }),
      { numRuns: 50 },
    )
  })

  test('gives back an entry of many chunks', async () => {
    const bytes = new Uint8Array(700_001).map((_, i) => i % 251)
    const [read] = await entriesIn(await archiveOf([{ name: 'large', bytes }]))
    expect(Buffer.compare(Buffer.from(read?.bytes ?? []), Buffer.from(bytes))).toBe(0)
  })

  test('names the digest of everything before an entry', async () => {
    const first = { name: 'a', bytes: bytesOf('one') }
    const archive = await archiveOf([first, { name: 'b', bytes: bytesOf('two') }])
    const digest = new Bun.CryptoHasher('sha256').update(archive.subarray(0, 1024)).digest('hex')
    expect((await entriesIn(archive))[1]?.digestBefore).toBe(digest)
  })

  test.if(Bun.which('tar') !== null)('is read by tar', async () => {
    const file = join(dir, 'for-tar.tar')
    writeFileSync(
      file,
      await archiveOf([
        { name: 'a/b', bytes: bytesOf('one') },
        { name: 'c', bytes: bytesOf('') },
      ]),
    )
    const tar = Bun.spawn(['tar', '-tvf', file], { stdout: 'pipe', stderr: 'pipe' })
    const [listed, complaints] = await Promise.all([tar.stdout.text(), tar.stderr.text()])
    expect(complaints).toBe('')
    expect(listed).toMatch(/^-rw-------.* 3 .* a\/b\n-rw-------.* 0 .* c\n$/)
  })

  test('that breaks off anywhere is a fault', async () => {
    const archive = await archiveOf([{ name: 'a', bytes: bytesOf('x'.repeat(600)) }])
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: archive.length - 2 * 512 }), async (length) => {
        await expect(entriesIn(archive.subarray(0, length))).rejects.toThrow(ArchiveFault)
      }),
      { numRuns: 30 },
    )
  })

  test('whose entry is larger than what is left is a fault before anybody makes room for it', async () => {
    const header = encodeHeader({ name: 'a', byteCount: 5_000_000_000 }, 0)
    await expect(entriesIn(Buffer.concat([header, new Uint8Array(4096)]))).rejects.toThrow('incomplete')
  })
})

test('a writer refuses an entry with other than the promised bytes', async () => {
  const writer = new UstarWriter(async () => {}, 0)
  await expect(writer.entry({ name: 'a', byteCount: 2 }, [bytesOf('abc')])).rejects.toThrow('changed its size')
})

describe('a header', () => {
  test('says a size of 8 GiB and more in a pax record', () => {
    const byteCount = 9 * 1024 ** 3
    const blocks = encodeHeader({ name: 'capture.db', byteCount }, 0)
    expect(decodeHeader(blocks.subarray(0, 512))).toMatchObject({ type: 'x' })
    const length = decodeHeader(blocks.subarray(0, 512))?.byteCount ?? 0
    expect(decodePaxSize(blocks.subarray(512, 512 + length))).toBe(byteCount)
    expect(decodeHeader(blocks.subarray(1024))).toMatchObject({ type: '0', name: 'capture.db' })
  })

  test('with any changed bit is a fault, or reads the same', () => {
    const header = encodeHeader({ name: 'assets/abc', byteCount: 1234 }, 1_700_000_000)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 511 }), fc.integer({ min: 0, max: 7 }), (at, bit) => {
        const changed = header.slice()
        changed[at] = (changed[at] ?? 0) ^ (1 << bit)
        expect(() => decodeHeader(changed)).toThrow(ArchiveFault)
      }),
    )
  })

  test.each(['1', '2', '3', '4', '5', '6', 'L', 'K', 'g', 'S'])(
    'of type %s (a link, a device, a folder, …) is a fault',
    (type) => {
      const header = Buffer.from(encodeHeader({ name: 'a', byteCount: 0 }, 0))
      header.write(type, 156)
      header.write('        ', 148)
      const sum = header.reduce((total, byte) => total + byte, 0)
      header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148)
      expect(() => decodeHeader(header)).toThrow('not a regular file')
    },
  )

  test.each(['', '11 size=1\n', '10 size=1\n10 size=2\n', '13 size=-100\n', '12 path=a/b\n'])(
    'of pax %j is a fault',
    (record) => {
      expect(() => decodePaxSize(bytesOf(record))).toThrow(ArchiveFault)
    },
  )
})
