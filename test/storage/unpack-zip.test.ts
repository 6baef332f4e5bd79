import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packZip, unpackZip } from '../../src/storage/zip/zip.ts'

const chunkBytes = 65_536

test('a chunk of a large entry is not kept once it was read', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'capture-unpack-'))
  try {
    const file = join(dir, 'large.zip')
    const chunks = 1600
    const bytes = async function* () {
      for (let i = 0; i < chunks; i++) yield new Uint8Array(chunkBytes).fill(i % 256)
    }
    const zip = await new Response(packZip([{ path: 'files/large.bin', isText: false, bytes }])).bytes()
    await Bun.write(file, zip)
    const read: WeakRef<Uint8Array>[] = []
    await unpackZip(file, zip.length, async (_, content) => {
      for await (const chunk of content) read.push(new WeakRef(chunk))
      Bun.gc(true)
      // Some are still on the way; of a leak it would be all.
      expect(read.filter((chunk) => chunk.deref() !== undefined).length).toBeLessThan(read.length / 2)
    })
    expect(read.length).toBeGreaterThan(chunks / 2)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
