import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginOutFile } from '../../../src/storage/filesystem/out-file.ts'

/** Nothing here lies in it but where a test says so. */
const noDataDir = '/nonexistent/data'
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'out-file-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('an output file', () => {
  test('does not have its name before it is whole', async () => {
    const path = join(folder, 'leads.csv')
    const file = await beginOutFile(path, noDataDir)
    await file.write('half')
    expect(existsSync(path)).toBe(false)
    await file.discard()
  })

  test('holds everything once it is finished', async () => {
    const path = join(folder, 'leads.csv')
    const file = await beginOutFile(path, noDataDir)
    await file.write('one ')
    await file.write('twö')
    await file.finish()
    expect(readFileSync(path, 'utf8')).toBe('one twö')
  })

  test('is readable by its owner alone', async () => {
    const path = join(folder, 'leads.csv')
    await (await beginOutFile(path, noDataDir)).finish()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('takes the place of an earlier one', async () => {
    const path = join(folder, 'leads.csv')
    writeFileSync(path, 'earlier')
    await (await beginOutFile(path, noDataDir)).finish()
    expect(readFileSync(path, 'utf8')).toBe('')
  })

  test('leaves the earlier one and no trace when it is discarded', async () => {
    const path = join(folder, 'leads.csv')
    writeFileSync(path, 'earlier')
    const file = await beginOutFile(path, noDataDir)
    await file.write('half')
    await file.discard()
    expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])).toEqual([
      ['leads.csv', 'earlier'],
    ])
  })

  test('is written through a link', async () => {
    writeFileSync(join(folder, 'real.csv'), 'earlier')
    symlinkSync('real.csv', join(folder, 'link.csv'))
    const file = await beginOutFile(join(folder, 'link.csv'), noDataDir)
    await file.write('new')
    await file.finish()
    expect(readFileSync(join(folder, 'real.csv'), 'utf8')).toBe('new')
  })

  test('does not replace a device', async () => {
    const file = await beginOutFile('/dev/null', noDataDir)
    await file.write('gone')
    await file.finish()
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  test('is refused where a folder is', async () => {
    await expect(beginOutFile(folder, noDataDir)).rejects.toThrow('is a folder')
  })

  test('is refused in a folder that is not there, in words for the operator', async () => {
    await expect(beginOutFile(join(folder, 'none', 'x.csv'), noDataDir)).rejects.toMatchObject({
      name: 'OperatorError',
    })
  })

  test.each(['data/leads.csv', 'data/capture.db', 'linked/leads.csv', 'linked.db'])(
    'is refused in the data folder (%s)',
    async (name) => {
      const dataDir = join(folder, 'data')
      mkdirSync(dataDir)
      writeFileSync(join(dataDir, 'capture.db'), 'the database')
      symlinkSync(dataDir, join(folder, 'linked'))
      symlinkSync(join(dataDir, 'capture.db'), join(folder, 'linked.db'))
      await expect(beginOutFile(join(folder, name), dataDir)).rejects.toThrow('is inside the data folder')
      expect(readdirSync(dataDir)).toEqual(['capture.db'])
    },
  )

  test('leaves no trace when the program is interrupted', async () => {
    const script = `
      const { beginOutFile } = await import('${join(import.meta.dir, '../../../src/storage/filesystem/out-file.ts')}')
      globalThis.file = await beginOutFile('${join(folder, 'x.csv')}', '${noDataDir}')
      console.log('begun')
      setInterval(() => {}, 1000)`
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    for await (const _begun of child.stdout) break
    const namesBefore = readdirSync(folder).length
    child.kill('SIGINT')
    expect({ namesBefore, status: await child.exited, names: readdirSync(folder) }).toEqual({
      namesBefore: 1,
      status: 130,
      names: [],
    })
  })
})
