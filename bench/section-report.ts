import { publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { fillLedger } from './fill-ledger.ts'
import { fillProcessed } from './fill-processed.ts'
import { median } from './median.ts'
import { benchSite } from './site.ts'

export interface ReportResult {
  storedEvents: number
  /** The whole command, for a month and for all there is. */
  monthMs: number
  quarterMs: number
  /** The same as a page for the account's owner, with the period before beside it. */
  monthPageMs: number
  quarterPageMs: number
  /** What of it is the start of the executable, which every command has. */
  startMs: number
}

const runs = 21

/** How long an operator waits for an account's figures when years of events are stored. */
export async function measureReport(run: BenchRun): Promise<ReportResult> {
  const storedEvents = run.options.growthEvents
  run.progress(`report: storing ${storedEvents} events`)
  const box = await makeBox(run)
  await publishBenchSite(box)
  fillLedger(box.dataFolder, { events: storedEvents })
  fillProcessed(box.dataFolder)
  run.progress('report: reading')
  const reportMs = (...words: string[]) => medianMs(box, 'report', benchSite.account, '--since', ...words)
  const result = {
    storedEvents,
    monthMs: await reportMs('30d'),
    quarterMs: await reportMs('90d'),
    monthPageMs: await reportMs('30d', '--html', '-'),
    quarterPageMs: await reportMs('90d', '--html', '-'),
    startMs: await medianMs(box, 'version'),
  }
  await box.remove()
  return result
}

async function medianMs(box: CaptureBox, ...words: string[]): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < runs; count++) {
    const started = performance.now()
    await box.command(...words)
    times.push(performance.now() - started)
  }
  return median(times)
}
