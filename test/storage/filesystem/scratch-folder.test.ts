import { expect, test } from 'bun:test'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeScratchFolder } from '../../../src/storage/filesystem/scratch-folder.ts'

const nobody = 65534

test('in a folder that is closed it is said why, and nothing stays noted', () => {
  const [dataDir, closed] = ['data', 'closed'].map((name) => mkdtempSync(join(tmpdir(), `capture-${name}-`)))
  if (dataDir === undefined || closed === undefined) throw new Error('no folders')
  const isRoot = process.getuid?.() === 0
  chmodSync(closed, 0)
  try {
    if (isRoot) {
      chownSync(dataDir, nobody, nobody)
      process.seteuid?.(nobody)
    }
    expect(() => makeScratchFolder(join(closed, 'backup.tar'), dataDir)).toThrow(/permission denied, mkdir/)
    const noted = join(dataDir, 'unfinished')
    expect(existsSync(noted) ? readdirSync(noted) : []).toEqual([])
  } finally {
    if (isRoot) process.seteuid?.(0)
    for (const folder of [dataDir, closed]) rmSync(folder, { recursive: true, force: true })
  }
})
