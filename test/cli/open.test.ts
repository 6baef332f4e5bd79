import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCapturing } from '../../src/cli/open.ts'
import type { Session } from '../../src/cli/session.ts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { ADataFolder } from './a-data-folder.ts'

test('what is made in a data folder that was there before is its owner’s alone', async () => {
  using folder = new ADataFolder()
  mkdirSync(folder.dataDir)
  chmodSync(folder.dataDir, 0o755)
  await folder.apply(aSite({ files: { 'pages/one.html': 'one' } }))
  const made = readdirSync(folder.dataDir, { recursive: true }).map(String)
  expect(made).toContain('capture.db')
  const open = made.filter((name) => (statSync(join(folder.dataDir, name)).mode & 0o077) !== 0)
  expect(open).toEqual([])
})

test('a service that cannot open its folder leaves nothing of it open, its writing thread included', async () => {
  using folder = new ADataFolder()
  await folder.apply(aSite())
  const temporary = join(folder.dataDir, 'assets', 'tmp')
  rmSync(temporary, { recursive: true })
  writeFileSync(temporary, 'no folder')
  const { config } = loadConfig({ env: { CAPTURE_DATA_DIR: folder.dataDir }, cwd: '/', systemFile: '/nowhere' })
  const session = { clock: systemClock, env: {}, argv: [], cwd: '/' } as unknown as Session
  await expect(openCapturing(config, session, { writer: 'thread' })).rejects.toThrow('EEXIST')
  // SQLite keeps the files of a closed connection until its last statement is collected.
  await eventually('its database is closed', async () => {
    Bun.gc(true)
    return openFiles().every((file) => !file.startsWith(folder.dataDir))
  })
})

const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(join('/proc/self/fd', fd))]
    } catch {
      // It was that of the listing.
      return []
    }
  })
