// A misspelt data_dir makes a new, empty box, from which nothing is served: it is said as soon as somebody looks.
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startServer } from '../../harness/server-process.ts'
import { ADataFolder } from '../a-data-folder.ts'

const configure = (folder: ADataFolder, dataDir: string): void =>
  writeFileSync(
    folder.path('capture.toml'),
    `data_dir = "${dataDir}"\n[server]\nlisten = "127.0.0.1:0"\n[limits]\nmin_free_mb = 0\n`,
  )

/** What `serve` complains of while it starts. */
async function complaintsOfServe(folder: ADataFolder): Promise<string> {
  const server = await startServer(folder.path('capture.toml'), folder.dir)
  await server.stop()
  return server.complaints.join('\n')
}

const doctor = async (folder: ADataFolder) => {
  const { status, stdout } = await folder.run(['doctor', '--json'])
  const { checks } = JSON.parse(stdout) as {
    checks: { check: string; status: string; found: string; advice: string }[]
  }
  return { exit: status, found: checks.find((check) => check.check === 'data folder' && check.status !== 'ok') }
}

describe('with a data_dir that is misspelt', () => {
  test.each(['./dtaa', '../NAME-not/data'])('serve warns and names the box that was meant (%s)', async (misspelt) => {
    using folder = await ADataFolder.with()
    const dataDir = misspelt.replace('NAME', folder.dir.split('/').at(-1) ?? '')
    configure(folder, dataDir)
    try {
      const complaints = await complaintsOfServe(folder)
      expect(complaints).toContain(
        `The configuration ${folder.path('capture.toml')} was used for the box in ${folder.dataDir} before.`,
      )
      expect(complaints).toContain('"level":"warn"')
      // It is said again until somebody has mended it.
      expect(await complaintsOfServe(folder)).toContain(folder.dataDir)
      expect(await doctor(folder)).toMatchObject({
        exit: 0,
        found: { advice: expect.stringContaining(folder.dataDir) },
      })
    } finally {
      if (dataDir.startsWith('..')) rmSync(dirname(join(folder.dir, dataDir)), { recursive: true, force: true })
    }
  })

  test('apply warns before it publishes', async () => {
    using folder = await ADataFolder.with()
    configure(folder, './dtaa')
    const { stderr } = await folder.done(['apply', 'sites/acme'])
    expect(stderr).toStartWith(`warning: The box in ${folder.path('dtaa')} is new and empty`)
    expect((await folder.done(['apply', 'sites/acme'])).stderr).toBe('')
  })

  test('backup warns of the empty box that it copies', async () => {
    using folder = await ADataFolder.with()
    configure(folder, './dtaa')
    await complaintsOfServe(folder)
    expect((await folder.done(['backup', 'box.backup'])).stderr).toContain(`for the box in ${folder.dataDir} before`)
    configure(folder, './data')
    expect((await folder.done(['backup', 'box.backup'])).stderr).not.toContain('for the box in')
  })

  test('doctor fails, names the box that was meant, and makes nothing', async () => {
    using folder = await ADataFolder.with()
    configure(folder, './dtaa')
    expect(await doctor(folder)).toMatchObject({
      exit: 1,
      found: {
        found: expect.stringContaining(`was used for the box in ${folder.dataDir} before`),
        advice: `If that one is meant, set data_dir = "${folder.dataDir}".`,
      },
    })
    expect(existsSync(folder.path('dtaa'))).toBe(false)
  })

  test('a box that is elsewhere altogether is found where the default would be', async () => {
    using folder = await ADataFolder.with()
    using elsewhere = new ADataFolder()
    configure(folder, elsewhere.path('x/y/z'))
    expect((await doctor(folder)).found?.found).toContain(folder.dataDir)
  })
})

describe('a new box', () => {
  test('starts quietly', async () => {
    using folder = new ADataFolder('[server]\nlisten = "127.0.0.1:0"\n[limits]\nmin_free_mb = 0\n')
    expect(await complaintsOfServe(folder)).toBe('')
  })

  test('starts quietly beside another box that has a configuration of its own', async () => {
    using folder = await ADataFolder.with()
    mkdirSync(folder.path('second'))
    writeFileSync(folder.path('second/capture.toml'), 'data_dir = "../data-2"\n[server]\nlisten = "127.0.0.1:0"\n')
    const server = await startServer(folder.path('second/capture.toml'), folder.path('second'))
    await server.stop()
    expect(server.complaints).toEqual([])
  })

  test('is made by apply without a warning', async () => {
    using folder = await ADataFolder.with()
    expect((await folder.done(['apply', 'sites/acme'])).stderr).toBe('')
  })
})

test('a folder that a restore moved aside is not taken for the box that was meant', async () => {
  using folder = await ADataFolder.with()
  renameSync(folder.dataDir, folder.path('data.before-restore-2026-11-20T101112-abcdefgh'))
  mkdirSync(folder.dataDir, { mode: 0o700 })
  expect((await doctor(folder)).found).toBeUndefined()
})
