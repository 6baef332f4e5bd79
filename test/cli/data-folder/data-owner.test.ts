import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actAsDataOwner, typedCommandLine } from '../../../src/cli/data-folder/data-owner.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'owner-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Asks for the folder as the user of that id; answers whom the process became. */
function actAs(uid: number, dataDir = folder, typed = ['capture', 'serve']): [uid: number, gid: number] | null {
  let became: [number, number] | null = null
  const become = (owner: number, group: number): void => {
    became = [owner, group]
  }
  actAsDataOwner({ dataDir, user: { uid, become }, typed })
  return became
}

const owner = (): number => statSync(folder).uid
const isRoot = process.getuid?.() === 0

describe('a data folder', () => {
  test('is used by its owner as it is', () => {
    expect(actAs(owner())).toBeNull()
  })

  test('that is not there yet is anybody’s to make', () => {
    expect(actAs(12345, join(folder, 'none'))).toBeNull()
  })

  test('of another user is refused with the line to use', () => {
    if (isRoot) chownSync(folder, 54321, 54321)
    expect(() => actAs(owner() + 1, folder, ['capture', 'export', 'acme', '--out', "it's.csv"])).toThrow(
      /\n {2}sudo -u \S+ capture export acme --out 'it'\\''s\.csv'$/,
    )
  })

  test.if(isRoot)('of a user without a name is refused with the user’s number', () => {
    chownSync(folder, 54321, 54321)
    expect(() => actAs(1)).toThrow("sudo -u '#54321' capture serve")
  })

  test.if(isRoot)('that a command of root made is given to whoever is to run Capture', () => {
    chownSync(folder, 0, 0)
    expect(() => actAs(1, folder, ['capture', 'serve'])).toThrow(
      new RegExp(`\\n {2}sudo chown -R \\S+: ${folder}\\n.+\\n {2}sudo -u root capture serve$`),
    )
  })

  test.if(isRoot)('of another user makes root that user', () => {
    chownSync(folder, 54321, 54322)
    expect(actAs(0)).toEqual([54321, 54322])
  })

  test.if(isRoot)('makes root give up its user, group and groups for good', async () => {
    chownSync(folder, 54321, 54322)
    const script = `
      const { actAsDataOwner, processUser } = await import('${join(import.meta.dir, '../../../src/cli/data-folder/data-owner.ts')}')
      actAsDataOwner({ dataDir: '${folder}', user: processUser(), typed: [] })
      let back = false
      try { process.setuid(0); back = true } catch {}
      console.log(JSON.stringify({ ids: [process.getuid(), process.geteuid(), process.getgid(), process.getegid()], groups: process.getgroups(), back }))`
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    expect(JSON.parse(await child.stdout.text())).toEqual({
      ids: [54321, 54321, 54322, 54322],
      groups: [54322],
      back: false,
    })
  })
})

describe('the line to use', () => {
  test('names the program and its words', () => {
    const words = typedCommandLine({ argv: ['export', 'acme'], env: { HOME: '/root' } })
    expect([words[0], ...words.slice(-2)]).toEqual([process.execPath, 'export', 'acme'])
  })

  test('carries the configuration that sudo would drop', () => {
    const words = typedCommandLine({ argv: [], env: { CAPTURE_DATA_DIR: '/srv/a b' } })
    expect(words.slice(0, 2)).toEqual(['env', 'CAPTURE_DATA_DIR=/srv/a b'])
  })
})
