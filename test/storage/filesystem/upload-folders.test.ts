import { afterEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uploadFolders } from '../../../src/storage/filesystem/upload-folders.ts'
import { zipTools } from '../../../src/storage/zip/zip-tools.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A data folder in which an upload was killed: nobody holds the lock of its note. */
function withKilledUpload(): { dataDir: string; left: string } {
  const dataDir = mkdtempSync(join(tmpdir(), 'capture-data-'))
  folders.push(dataDir)
  const file = join(dataDir, 'uploads', 'an upload')
  const left = join(dataDir, 'uploads', '.capture-unfinished-abcd1234')
  mkdirSync(left, { recursive: true })
  mkdirSync(join(dataDir, 'unfinished'))
  writeFileSync(join(dataDir, 'unfinished', 'abcd1234.lock'), '')
  writeFileSync(join(dataDir, 'unfinished', 'abcd1234.json'), JSON.stringify({ dir: left, file }))
  return { dataDir, left }
}

test('what a killed upload has left goes with the next housekeeping, without a further upload', async () => {
  const { dataDir, left } = withKilledUpload()
  await uploadFolders(dataDir, zipTools).eraseKeptBefore(0)
  expect([existsSync(left), readdirSync(join(dataDir, 'unfinished'))]).toEqual([false, []])
})

const nothing = async function* (): AsyncGenerator<Uint8Array> {}

test('an upload makes no folders that are deeper, or more, than any site has', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'capture-data-'))
  folders.push(dataDir)
  const upload = await uploadFolders(dataDir, zipTools).make('somebody')
  await expect(upload.write(`${'a/'.repeat(32)}b`, nothing())).rejects.toThrow('more than 32 folders deep')

  const perFile = 31
  for (let file = 0; file < 645; file++) await upload.write(`${file}/${'a/'.repeat(perFile - 1)}b`, nothing())
  await expect(upload.write(`last/${'a/'.repeat(perFile - 1)}b`, nothing())).rejects.toThrow('at most 20000 folders')
  upload.remove()
})
