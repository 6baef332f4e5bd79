import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AssetStore } from '../../../src/asset/asset-store.ts'
import { freeBytes, leavingRoom } from '../../../src/storage/filesystem/free-space.ts'

const nothing = async function* (): AsyncGenerator<Uint8Array> {}

test('of puts that fit one by one but not together, the later ones are refused before they write', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'capture-room-'))
  const goesOn = Promise.withResolvers<void>()
  const begun: string[] = []
  const behind: Pick<AssetStore, 'put'> = {
    put: ({ sha256 }) => {
      begun.push(sha256)
      return goesOn.promise
    },
  }
  const byteCount = Math.floor(((await freeBytes(dir)) * 2) / 3)
  const store = leavingRoom(behind as AssetStore, dir, 0)
  const put = (sha256: string) => store.put({ sha256, encoding: 'identity' }, { byteCount, chunks: nothing() })

  const [first, second] = [put('first'), put('second')]
  const outcomes = Promise.allSettled([first, second])
  await expect(Promise.race([first, second])).rejects.toThrow('no space for this upload')
  goesOn.resolve()
  await outcomes
  expect(begun.length).toBeLessThan(2)

  await put('third')
  expect(begun).toContain('third')
  rmSync(dir, { recursive: true })
})
