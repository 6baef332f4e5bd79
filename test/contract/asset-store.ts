import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { AssetStore, StoredBytes } from '../../src/asset/asset-store.ts'

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

export const keyOf = (bytes: Uint8Array, encoding: StoredBytes['encoding'] = 'identity'): StoredBytes => ({
  sha256: hashOf(bytes),
  encoding,
})

const page = bytesOf('<h1>Spring</h1>')

async function* pieces(bytes: Uint8Array, failure?: Error): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, 5)
  if (failure !== undefined) throw failure
  yield bytes.subarray(5)
}

async function listed(store: AssetStore): Promise<string[]> {
  const hashes = []
  for await (const sha256 of store.list()) hashes.push(sha256)
  return hashes.sort()
}

/** What the port promises, for every implementation. `open` gives a new, empty store. */
export function assetStoreContract(name: string, open: () => Promise<AssetStore>): void {
  describe(name, () => {
    test('what was put is there, byte for byte', async () => {
      const store = await open()
      await store.put(keyOf(page), page)
      expect(await (await store.open(keyOf(page)))?.bytes()).toEqual(page)
    })

    test('any bytes come back, and their number is known before they are read', async () => {
      const store = await open()
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (bytes) => {
          await store.put(keyOf(bytes), bytes)
          const blob = await store.open(keyOf(bytes))
          expect(blob?.size).toBe(bytes.byteLength)
          expect(await blob?.bytes()).toEqual(new Uint8Array(bytes))
        }),
        { numRuns: 30 },
      )
    })

    test('a part can be read alone', async () => {
      const store = await open()
      await store.put(keyOf(page), page)
      expect(await (await store.open(keyOf(page)))?.slice(4, 10).text()).toBe('Spring')
    })

    test('what comes in pieces is there whole', async () => {
      const store = await open()
      await store.put(keyOf(page), { byteCount: page.byteLength, chunks: pieces(page) })
      expect(await (await store.open(keyOf(page)))?.bytes()).toEqual(page)
    })

    test('pieces that break off leave nothing behind', async () => {
      const store = await open()
      const broken = { byteCount: page.byteLength, chunks: pieces(page, new Error('broke off')) }
      await expect(store.put(keyOf(page), broken)).rejects.toThrow('broke off')
      expect([await store.open(keyOf(page)), await listed(store)]).toEqual([null, []])
    })

    test('what was never put is not there', async () => {
      expect(await (await open()).open(keyOf(page))).toBeNull()
    })

    test('each encoding is held apart', async () => {
      const store = await open()
      await store.put(keyOf(page), page)
      await store.put(keyOf(page, 'br'), bytesOf('brotli'))
      expect(await (await store.open(keyOf(page, 'br')))?.text()).toBe('brotli')
      expect(await store.open(keyOf(page, 'gzip'))).toBeNull()
      expect(await (await store.open(keyOf(page)))?.bytes()).toEqual(page)
    })

    test('putting what is there already changes nothing', async () => {
      const store = await open()
      await store.put(keyOf(page), page)
      await store.put(keyOf(page), page)
      expect(await (await store.open(keyOf(page)))?.bytes()).toEqual(page)
      expect(await listed(store)).toEqual([hashOf(page)])
    })

    test('the same bytes put many times at once are there once', async () => {
      const store = await open()
      await Promise.all(Array.from({ length: 8 }, () => store.put(keyOf(page), page)))
      expect(await (await store.open(keyOf(page)))?.bytes()).toEqual(page)
      expect(await listed(store)).toEqual([hashOf(page)])
    })

    test('a reader beside a writer sees all of the bytes or none', async () => {
      const store = await open()
      const large = new Uint8Array(4 * 1024 * 1024).fill(7)
      const writing = store.put(keyOf(large), large)
      let done = false
      writing.finally(() => {
        done = true
      })
      while (!done) expect([undefined, large.byteLength]).toContain((await store.open(keyOf(large)))?.size)
      await writing
    })

    test('every hash is listed once, whatever encodings it is held in', async () => {
      const store = await open()
      const all = Array.from({ length: 40 }, (_, i) => bytesOf(`page ${i}`))
      for (const bytes of all)
        for (const encoding of ['identity', 'gzip'] as const) await store.put(keyOf(bytes, encoding), bytes)
      expect(await listed(store)).toEqual(all.map(hashOf).sort())
    })

    test('a hash of which only a variant is left is listed, so that it can be deleted', async () => {
      const store = await open()
      await store.put(keyOf(page, 'br'), bytesOf('brotli'))
      expect(await listed(store)).toEqual([hashOf(page)])
    })

    test('deleting takes every encoding of the hash and nothing else', async () => {
      const store = await open()
      const other = bytesOf('other')
      await store.put(keyOf(other), other)
      for (const encoding of ['identity', 'br', 'gzip'] as const) await store.put(keyOf(page, encoding), page)
      await store.delete(hashOf(page))
      const left = await Promise.all(
        (['identity', 'br', 'gzip'] as const).map((encoding) => store.open(keyOf(page, encoding))),
      )
      expect(left).toEqual([null, null, null])
      expect(await listed(store)).toEqual([hashOf(other)])
    })

    test('deleting what is not there is no error', async () => {
      expect(await (await open()).delete(hashOf(page))).toBeUndefined()
    })

    test('what is deleted can be put again', async () => {
      const store = await open()
      await store.put(keyOf(page), page)
      await store.delete(hashOf(page))
      await store.put(keyOf(page), page)
      expect(await (await store.open(keyOf(page)))?.bytes()).toEqual(page)
    })

    test('what is being read can be read to its end, though deleted meanwhile', async () => {
      const store = await open()
      const large = new Uint8Array(8 * 1024 * 1024).fill(7)
      await store.put(keyOf(large), large)
      let byteCount = 0
      for await (const chunk of (await store.open(keyOf(large)))?.stream() ?? []) {
        if (byteCount === 0) await store.delete(hashOf(large))
        byteCount += chunk.byteLength
      }
      expect(byteCount).toBe(large.byteLength)
    })

    const nameless = [
      '',
      'a'.repeat(63),
      'A'.repeat(64),
      `${'a'.repeat(64)}\n`,
      `../${'a'.repeat(61)}`,
      '../../etc/passwd',
    ]
    for (const sha256 of nameless) {
      test(`${JSON.stringify(sha256)} is no key`, async () => {
        const store = await open()
        const key: StoredBytes = { sha256, encoding: 'identity' }
        const answers = await Promise.allSettled([
          store.put(key, page),
          store.open(key),
          (async () => store.delete(sha256))(),
        ])
        expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
        expect(await listed(store)).toEqual([])
      })
    }
  })
}
