import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  astrayDatabases,
  awaitsJoined,
  placeJoined,
  removeAstray,
  stageJoined,
} from '../../../src/storage/filesystem/joined-folder.ts'

const now = Date.UTC(2026, 10, 24)
const oldFiles = {
  'capture.db': 'old',
  'capture.db-wal': 'old log',
  'capture.db-shm': 'old index',
  'seal.key': 'old key',
}

class AFolder implements Disposable {
  readonly dir = mkdtempSync(join(tmpdir(), 'capture-joined-'))

  constructor() {
    for (const [name, text] of Object.entries(oldFiles)) writeFileSync(join(this.dir, name), text)
  }

  async stage(at = now): Promise<void> {
    const { staged, finish } = await stageJoined(this.dir, 1)
    for (const [name, text] of Object.entries({ 'capture.db': 'new', 'seal.key': 'new key' }))
      writeFileSync(join(staged, name), text)
    await finish(at)
  }

  text(...path: string[]): string | null {
    const file = join(this.dir, ...path)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true })
  }
}

test('a database with which a node joins anew is put in place whole, and the old one moves aside with its log and key', async () => {
  using folder = new AFolder()
  await folder.stage()
  expect(folder.text('capture.db')).toBe('old')
  const aside = placeJoined(folder.dir) ?? ''
  expect([folder.text('capture.db'), folder.text('seal.key')]).toEqual(['new', 'new key'])
  expect([folder.text('capture.db-wal'), folder.text('capture.db-shm')]).toEqual([null, null])
  expect(astrayDatabases(folder.dir)).toEqual([aside])
  for (const [name, text] of Object.entries(oldFiles)) expect(readFileSync(join(aside, name), 'utf8')).toBe(text)
  expect(placeJoined(folder.dir)).toBeNull()
})

test('whatever a kill had moved by then, the next start goes on', async () => {
  const moved = Object.keys(oldFiles).slice(0, 3)
  for (let steps = 0; steps <= moved.length + 1; steps++) {
    using folder = new AFolder()
    await folder.stage()
    const aside = join(folder.dir, 'astray', '2026-11-24T000000')
    mkdirSync(aside, { recursive: true })
    for (const name of moved.slice(0, steps)) renameSync(join(folder.dir, name), join(aside, name))
    // Without its database, the folder is not lost.
    expect(awaitsJoined(folder.dir)).toBe(true)
    if (steps > moved.length)
      for (const name of ['seal.key', 'capture.db'])
        renameSync(join(folder.dir, 'joined-2026-11-24T000000', name), join(folder.dir, name))
    placeJoined(folder.dir)
    expect(folder.text('capture.db')).toBe('new')
    for (const name of moved) expect(readFileSync(join(aside, name), 'utf8')).toBe(oldFiles[name as 'capture.db'])
    expect([folder.text('capture.db-wal'), awaitsJoined(folder.dir)]).toEqual([null, false])
  }
})

test('what was not written to its end is never put in place', async () => {
  using folder = new AFolder()
  const { staged } = await stageJoined(folder.dir, 1)
  writeFileSync(join(staged, 'capture.db'), 'half')
  expect(placeJoined(folder.dir)).toBeNull()
  expect([folder.text('capture.db'), existsSync(staged)]).toEqual(['old', false])
})

test('a node does not fill its disk with databases that nobody looks at', async () => {
  using folder = new AFolder()
  await expect(stageJoined(folder.dir, Number.MAX_SAFE_INTEGER)).rejects.toThrow('has no room for a second copy')
  for (const hour of [1, 2, 3]) {
    await folder.stage(now + hour * 3_600_000)
    placeJoined(folder.dir)
  }
  await expect(stageJoined(folder.dir, 1)).rejects.toThrow('holds 3 databases')
  const [first] = astrayDatabases(folder.dir)
  if (first !== undefined) removeAstray(first)
  await folder.stage()
})
