import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { median } from './median.ts'
import { residentMegabytes } from './process-stats.ts'
import { writeSmallSite } from './site.ts'

export interface StartResult {
  emptyMs: number
  filledMs: number
  accounts: number
  pages: number
  /** Resident when nothing was asked of it yet. */
  idleMegabytes: number
}

/** Let the process come to rest before its idle memory is read. */
const settleSeconds = 3

/** From the start of the process to its first answer. */
export async function measureStart(run: BenchRun): Promise<StartResult> {
  const { runs, accounts, pagesPerAccount } = run.options.start
  run.progress('start: empty folder')
  const empty = await makeBox(run)
  const emptyMs = await medianStart(empty, runs, () => rm(empty.dataFolder, { recursive: true, force: true }))
  const idleMegabytes = await idleMemory(empty)
  await empty.remove()

  run.progress(`start: ${accounts} accounts with ${pagesPerAccount} pages each`)
  const filled = await makeBox(run)
  await publishAccounts(filled, accounts, pagesPerAccount)
  const filledMs = await medianStart(filled, runs, async () => {})
  await filled.remove()
  return { emptyMs, filledMs, accounts, pages: accounts * pagesPerAccount, idleMegabytes }
}

async function medianStart(box: CaptureBox, runs: number, prepare: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < runs; count++) {
    await prepare()
    const started = performance.now()
    const server = await box.start()
    times.push(performance.now() - started)
    await server.stop()
  }
  return median(times)
}

async function idleMemory(box: CaptureBox): Promise<number> {
  const server = await box.start()
  await Bun.sleep(settleSeconds * 1000)
  const { now } = await residentMegabytes(server.pid)
  await server.stop()
  return now
}

async function publishAccounts(box: CaptureBox, accounts: number, pages: number): Promise<void> {
  const folder = join(box.folder, 'small-site')
  for (let number = 0; number < accounts; number++) {
    await writeSmallSite(folder, number, pages)
    await box.command('apply', folder, '--json')
  }
}
