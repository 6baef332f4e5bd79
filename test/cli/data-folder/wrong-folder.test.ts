import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../../harness/a-site.ts'
import { ADataFolder } from '../a-data-folder.ts'

describe('where no box was ever made', () => {
  const commands = [
    ['backup', 'nightly.tar'],
    ['export', 'acme', 'submissions'],
    ['secret', 'rotate', 'click'],
    ['refusals', 'acme'],
  ]
  test.each(commands)('%s refuses, names the folder and makes nothing', async (...argv) => {
    using folder = new ADataFolder()
    const { status, stderr } = await folder.run(argv)
    expect([status, stderr]).toEqual([1, expect.stringContaining(`no box in the data folder ${folder.dataDir}`)])
    expect([existsSync(folder.dataDir), existsSync(folder.path('nightly.tar'))]).toEqual([false, false])
  })

  test('account list says where it looked, and makes nothing there', async () => {
    using folder = new ADataFolder()
    expect((await folder.done(['account', 'list'])).stdout).toContain(folder.dataDir)
    expect(await folder.json(['account', 'list'])).toEqual({ accounts: [] })
    expect(existsSync(folder.dataDir)).toBe(false)
  })

  test('a file in the place of the data folder is named', async () => {
    using folder = new ADataFolder()
    writeFileSync(folder.dataDir, '')
    const { status, stderr } = await folder.run(['account', 'list'])
    expect([status, stderr]).toEqual([1, `The data folder ${folder.dataDir} is not a folder. Set data_dir.\n`])
  })
})

describe('where the database of a box was lost', () => {
  const file = (folder: ADataFolder) => join(folder.dataDir, 'capture.db')
  const lose = (folder: ADataFolder) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file(folder) + suffix, { force: true })
  }

  test.each([
    ['is empty', ['apply', 'sites/acme']],
    ['is empty', ['report', 'acme']],
    ['is empty', ['serve']],
    ['is gone', ['apply', 'sites/acme']],
    ['is gone', ['account', 'list']],
  ])('%s: %j makes no new box, and says what to do', async (what, argv) => {
    using folder = await ADataFolder.with()
    lose(folder)
    if (what === 'is empty') writeFileSync(file(folder), '')
    const { status, stderr } = await folder.run(argv)
    expect([status, stderr]).toEqual([1, expect.stringContaining(`The database ${file(folder)} ${what}`)])
    expect(stderr).toContain('capture restore FILE')
    expect(statSync(file(folder), { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  })

  // A restart after `kill -9` needs no repair (docs/running.md).
  test('a first start that was killed before it had written anything is begun anew, but by no command that reads', async () => {
    using folder = new ADataFolder()
    mkdirSync(folder.dataDir, { mode: 0o700 })
    writeFileSync(file(folder), '')
    expect((await folder.run(['report', 'acme'])).stderr).toContain('There is no box in the data folder')
    expect(statSync(file(folder)).size).toBe(0)
    await folder.apply(aSite())
    expect((await folder.json(['account', 'list'])).accounts).toMatchObject([{ account: 'acme' }])
  })
})
