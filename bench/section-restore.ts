import { Database } from 'bun:sqlite'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, type MeasuredCommand, makeBox } from './capture-box.ts'
import { databaseFile } from './database-file.ts'
import { fillLedger } from './fill-ledger.ts'
import { fillProcessed } from './fill-processed.ts'

export interface RestoreResult {
  storedEvents: number
  publishedMegabytes: number
  backup: MeasuredCommand
  restore: MeasuredCommand
}

/** Bytes of each published file: as large as customers' catalogues and films. */
const fileMegabytes = 5
/** Files of one account: its folder takes no more room than the bench needs elsewhere. */
const filesPerAccount = 200

/** A box with everything it may hold goes to a folder, sealed, and comes back on a machine that has nothing. */
export async function measureRestore(run: BenchRun): Promise<RestoreResult> {
  const { growthEvents: storedEvents, publishedMegabytes } = run.options
  run.progress(`restore: storing ${storedEvents} events and ${publishedMegabytes} MB of files`)
  const box = await makeBox(run)
  await publishBenchSite(box)
  fillLedger(box.dataFolder, { events: storedEvents })
  fillProcessed(box.dataFolder)
  await publishFiles(box, publishedMegabytes / fileMegabytes)
  const target = pathToFileURL(join(box.folder, 'target')).href
  const identity = join(box.folder, 'identity.txt')
  await backUpTo(box, target, identity)
  run.progress('restore: backing up')
  const backup = await box.measured('backup', 'now')
  const stored = positions(box)
  await rm(box.dataFolder, { recursive: true })
  run.progress('restore: restoring')
  const restore = await box.measured('restore', target, '--identity', identity)
  if (positions(box) !== stored) throw new Error(`the restored ledger has other entries than the ${stored} stored ones`)
  await box.remove()
  return { storedEvents, publishedMegabytes, backup, restore }
}

async function backUpTo(box: CaptureBox, target: string, identity: string): Promise<void> {
  const key = await box.command('backup', 'key')
  const recipient = /age1\w+/.exec(key)?.[0]
  if (recipient === undefined) throw new Error('backup key printed no public key')
  await Bun.write(identity, key)
  const config = join(box.folder, 'capture.toml')
  const table = `\n[backup]\nto = ["${target}"]\nrecipients = ["${recipient}"]\n`
  await Bun.write(config, (await Bun.file(config).text()) + table)
}

/** Random bytes, which no compression makes smaller. */
async function publishFiles(box: CaptureBox, files: number): Promise<void> {
  for (let published = 0, account = 0; published < files; account++) {
    const site = join(box.folder, `site-${account}`)
    await mkdir(join(site, 'files'), { recursive: true })
    await Bun.write(
      join(site, 'site.toml'),
      `account = "files-${account}"\nname = "Files"\ndomains = ["files-${account}.example"]\n`,
    )
    const here = Math.min(filesPerAccount, files - published)
    for (let number = 0; number < here; number++) {
      await writeRandom(join(site, 'files', `film-${number}.mp4`))
    }
    await box.command('apply', site, '--json')
    await rm(site, { recursive: true })
    published += here
  }
}

/** The Web's generator gives 64 KiB at a time. */
async function writeRandom(file: string): Promise<void> {
  const bytes = new Uint8Array(fileMegabytes * 1024 * 1024)
  for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536))
  await Bun.write(file, bytes)
}

function positions({ dataFolder }: CaptureBox): string {
  using database = new Database(databaseFile(dataFolder), { readonly: true })
  return JSON.stringify(database.query('SELECT count(*), min(sequence), max(sequence) FROM ledger').values())
}
