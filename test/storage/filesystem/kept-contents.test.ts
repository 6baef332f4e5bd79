import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eraseKeptBefore, KeptContents } from '../../../src/storage/filesystem/upload-folders.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const whole = 'a'.repeat(64)

/** A folder with a whole content, and one that has not arrived whole. */
function anUpload() {
  const uploads = mkdtempSync(join(tmpdir(), 'capture-uploads-'))
  folders.push(uploads)
  const contents = join(uploads, 'contents')
  mkdirSync(contents)
  for (const name of [whole, 'part']) writeFileSync(join(contents, name), name)
  return { uploads, contents }
}

test('what has arrived whole is kept for its sender', async () => {
  const { uploads, contents } = anUpload()
  const kept = new KeptContents(uploads, 'token 1')
  await kept.takeFrom(contents)
  expect([await kept.has(whole), await kept.has('part'), readdirSync(contents)]).toEqual([true, false, ['part']])
  expect(await new KeptContents(uploads, 'token 2').has(whole)).toBeFalse()
})

test('what another upload of the sender takes away meanwhile is no failure', async () => {
  const { uploads, contents } = anUpload()
  const kept = new KeptContents(uploads, 'token 1')
  await Promise.all([kept.takeFrom(contents), kept.takeFrom(contents)])
  expect(await kept.has(whole)).toBeTrue()
})

test('no name leads out of what is kept', async () => {
  const { uploads, contents } = anUpload()
  const kept = new KeptContents(uploads, 'token 1')
  await kept.takeFrom(contents)
  expect(await kept.has('../../contents/part')).toBeFalse()
})

test('what was kept goes with its time, or once it is erased', async () => {
  const { uploads, contents } = anUpload()
  const kept = new KeptContents(uploads, 'token 1')
  await kept.takeFrom(contents)
  await eraseKeptBefore(uploads, Date.now() - 60_000)
  const before = await kept.has(whole)
  await eraseKeptBefore(uploads, Date.now() + 60_000)
  expect([before, await kept.has(whole)]).toEqual([true, false])
})
