// A killed command cannot clean up: what it left is named by doctor and removed by the next command of its kind.
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { builtExecutable } from '../harness/executable.ts'
import { ADataFolder } from './a-data-folder.ts'

/** So large that a command is still at work on it when its first file has been seen. */
const large = new Uint8Array(40_000_000).map((_, i) => (i * 31) % 251)
const site = aSite({ files: { 'pages/launch.html': 'Launch', 'files/large.bin': large } })
const backup = 'box.backup'

const hidden = (folder: ADataFolder): string[] =>
  readdirSync(folder.dir).filter((name) => name.startsWith('.capture-unfinished-') || name.includes('.restoring-'))

/**
 * Starts the command and sends it the signal once the file lies in what it makes beside the data folder. Where the
 * machine gives the command more time than this test, it is done by then, and is started again.
 */
async function signalledWith(folder: ADataFolder, file: string, { argv, signal }: { argv: string[]; signal: Signal }) {
  const lies = () => hidden(folder).some((name) => existsSync(folder.path(join(name, file))))
  for (;;) {
    const child = Bun.spawn([await builtExecutable(), ...argv], { cwd: folder.dir, stderr: 'ignore' })
    // Looked for without a pause: a fast command is soon done with it.
    while (!lies() && child.exitCode === null) await Bun.sleep(0)
    child.kill(signal)
    if (lies() && child.exitCode === null) return child
    await child.exited
  }
}

type Signal = 'SIGKILL' | 'SIGSTOP'

/** Runs the command and kills it; answers what it left. */
async function killedWith(folder: ADataFolder, file: string, argv: string[]): Promise<string> {
  const child = await signalledWith(folder, file, { argv, signal: 'SIGKILL' })
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  const [left = 'nothing', ...more] = hidden(folder).filter((name) => existsSync(folder.path(join(name, file))))
  expect(more).toEqual([])
  return folder.path(left)
}

/** A process that is writing a file, as an export does, until it is killed. */
async function writing(folder: ADataFolder) {
  const script = `
    const { beginOutFile } = await import('${join(import.meta.dir, '../../src/storage/filesystem/out-file.ts')}')
    globalThis.file = await beginOutFile('${folder.path('leads.csv')}', '${folder.dataDir}')
    await globalThis.file.write('ada@customer.example')
    console.log('begun')
    setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  for await (const _begun of child.stdout) break
  return child
}

const findings = async (folder: ADataFolder) => {
  const { checks } = JSON.parse((await folder.run(['doctor', '--json'])).stdout)
  return checks.filter(({ check }: { check: string }) => check === 'unfinished')
}

describe('a backup that is killed', () => {
  test('leaves a copy that doctor names and the next backup removes, and no folder of anybody else', async () => {
    using folder = await ADataFolder.with(site)
    const left = await killedWith(folder, 'capture.db', ['backup', backup])
    const others = folder.path('.capture-unfinished-notours0')
    mkdirSync(others)
    writeFileSync(join(others, 'capture.db'), 'of another box')
    const found = await findings(folder)
    expect(
      found.map(({ status, found }: { status: string; found: string }) => [status, found.includes(backup)]),
    ).toEqual(found.map(() => ['warning', true]))
    expect(JSON.stringify(found)).toContain(left)
    await folder.done(['backup', backup])
    expect(hidden(folder)).toEqual(['.capture-unfinished-notours0'])
    expect(await findings(folder)).toEqual([])
  })
})

describe('an export that is killed', () => {
  test('leaves a file that the next backup removes, and not before it is killed', async () => {
    using folder = await ADataFolder.with()
    const child = await writing(folder)
    const [written = 'nothing'] = hidden(folder)
    expect(await findings(folder)).toEqual([])
    await folder.done(['backup', backup])
    expect(hidden(folder)).toEqual([written])
    child.kill('SIGKILL')
    await child.exited
    expect(await findings(folder)).toMatchObject([{ status: 'warning', found: expect.stringContaining('leads.csv') }])
    await folder.done(['backup', backup])
    expect(hidden(folder)).toEqual([])
  })
})

describe('a restore that is killed', () => {
  test('leaves a folder that doctor names and the next restore removes', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['backup', backup])
    const left = await killedWith(folder, 'capture.db', ['restore', backup])
    expect(await findings(folder)).toMatchObject([{ status: 'warning', found: expect.stringContaining(left) }])
    await folder.done(['restore', backup])
    expect(hidden(folder)).toEqual([])
    expect((await folder.json(['page', 'list', 'acme'])).pages).toMatchObject([{ slug: 'launch' }])
  })

  test('is not mistaken for one that is at work', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['backup', backup])
    const child = await signalledWith(folder, 'capture.db', { argv: ['restore', backup], signal: 'SIGSTOP' })
    expect(await findings(folder)).toEqual([])
    expect((await folder.run(['restore', backup])).stderr).toContain('in use by process')
    child.kill('SIGCONT')
    expect(await child.exited).toBe(0)
  })
})
