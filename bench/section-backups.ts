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
  /** Answers to forms of a box without backups, and of the same with them: medians of all rounds. */
  alone: Latencies
  /** An increment every second, ten times as often as usual. */
  increments: Latencies
  /** One base after the other, where usually there is one a day. */
  bases: Latencies
}

type Kind = 'alone' | 'increments' | 'bases'

const kinds: readonly Kind[] = ['alone', 'increments', 'bases']

/** What captures notice of backups, in rounds without and with them. */
export async function measureBackups(run: BenchRun): Promise<BackupsResult> {
  const { processingEvents: storedEvents, rounds } = run.options
  run.progress(`backups: ${storedEvents} stored events`)
  const box = await makeBox(run)
  await publishBenchSite(box)
  fillLedger(box.dataFolder, { events: storedEvents })
  fillProcessed(box.dataFolder)
  const config = join(box.folder, 'capture.toml')
  const without = await Bun.file(config).text()
  const target = join(box.folder, 'target')
  await Bun.write(config, without + configText(target, 'increments'))
  await box.command('backup', 'now')
  const results: Record<Kind, Latencies[]> = { alone: [], increments: [], bases: [] }
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      await Bun.write(config, without + (kind === 'alone' ? '' : configText(target, kind)))
      const server = await box.start()
      results[kind].push(await answersTo(box, () => false, samplesOf(run)))
      await server.stop()
    }
  }
  await box.remove()
  const { alone, increments, bases } = results
  return { storedEvents, alone: medians(alone), increments: medians(increments), bases: medians(bases) }
}

function configText(target: string, kind: Kind): string {
  const every = { alone: '24h', increments: '24h', bases: '1s' }[kind]
  return `\n[backup]\nto = ["${pathToFileURL(target).href}"]\nbase_every = "${every}"\nincrement_every = "1s"\n`
}

const medians = (all: Latencies[]): Latencies => ({
  p50Ms: median(all.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(all.map(({ p99Ms }) => p99Ms)),
})
