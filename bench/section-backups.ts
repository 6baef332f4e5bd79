import { appendFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { makeBox } from './capture-box.ts'
import { fillLedger } from './fill-ledger.ts'
import { fillProcessed } from './fill-processed.ts'
import { median } from './median.ts'
import { answersTo, type Latencies, samplesOf } from './paced-answers.ts'

export interface BackupsResult {
  storedEvents: number
  /** Written while forms were answered. */
  bases: number
  increments: number
  /** Answers to forms of a box without backups, and of the same with them: medians of all rounds. */
  alone: Latencies
  backingUp: Latencies
}

/** Bases follow each other, so that one is always under way, and increments come ten times as often as usual. */
const configText = (target: string): string =>
  `\n[backup]\nto = ["${pathToFileURL(target).href}"]\nbase_every = "1s"\nincrement_every = "1s"\n`

/** What captures notice of backups, in rounds without and with them. */
export async function measureBackups(run: BenchRun): Promise<BackupsResult> {
  const { processingEvents: storedEvents, rounds } = run.options
  run.progress(`backups: ${storedEvents} stored events`)
  const box = await makeBox(run)
  const target = join(box.folder, 'target')
  await publishBenchSite(box)
  fillLedger(box.dataFolder, storedEvents)
  fillProcessed(box.dataFolder)
  const config = join(box.folder, 'capture.toml')
  const without = await Bun.file(config).text()
  const results: { alone: Latencies[]; backingUp: Latencies[] } = { alone: [], backingUp: [] }
  for (let round = 0; round < rounds; round++) {
    for (const kind of ['alone', 'backingUp'] as const) {
      await Bun.write(config, without)
      if (kind === 'backingUp') await appendFile(config, configText(target))
      const server = await box.start()
      results[kind].push(await answersTo(box, () => false, samplesOf(run)))
      await server.stop()
    }
  }
  const names = await readdir(target, { recursive: true })
  const count = (pattern: RegExp): number => names.filter((name) => pattern.test(name)).length
  const result = {
    storedEvents,
    bases: count(/^bases\/[^.]+$/),
    increments: count(/^increments\/\d+\/[^.]+$/),
    alone: medians(results.alone),
    backingUp: medians(results.backingUp),
  }
  await box.remove()
  return result
}

const medians = (all: Latencies[]): Latencies => ({
  p50Ms: median(all.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(all.map(({ p99Ms }) => p99Ms)),
})
