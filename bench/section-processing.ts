import { Database } from 'bun:sqlite'
import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { databaseFile } from './database-file.ts'
import { fillLedger } from './fill-ledger.ts'
import { storedRecords } from './ledger-rows.ts'
import type { LoadResult } from './load.ts'
import { median } from './median.ts'
import { formPath } from './paths/form.ts'
import { until } from './until.ts'

export interface ProcessingResult {
  /** What waited when the service started, and how long it took until nothing did. */
  events: number
  catchUpSeconds: number
  delays: AnswerDelay[]
}

/** Latencies of form answers, medians over the rounds: while nothing is processed, and while a backlog is. */
export interface AnswerDelay {
  connections: number
  alone: { p50Ms: number; p99Ms: number }
  behind: { p50Ms: number; p99Ms: number }
}

/** A cursor that no ledger reaches: then nothing is ever behind it. */
const unreachable = 2 ** 52
const catchUpSecondsMax = 600
/** A visitor or two at a time, and all that the machine can take. */
const connectionCounts = [4, 64]

/** How fast a backlog is worked off, and what captures notice of it meanwhile. */
export async function measureProcessing(run: BenchRun): Promise<ProcessingResult> {
  const events = run.options.processingEvents
  const catchUpSeconds = await measureCatchUp(events, run)
  const [alone, behind] = await Promise.all([makeBox(run), makeBox(run)])
  await Promise.all([publishBenchSite(alone), publishBenchSite(behind)])
  neverProcess(alone)
  fillLedger(behind.dataFolder, { events })
  const delays: AnswerDelay[] = []
  for (const connections of connectionCounts) {
    run.progress(`processing: forms over ${connections} connections, with a backlog and without`)
    delays.push(await compareLatencies({ alone, behind }, connections, run))
  }
  await Promise.all([alone.remove(), behind.remove()])
  return { events, catchUpSeconds, delays }
}

async function measureCatchUp(events: number, run: BenchRun): Promise<number> {
  run.progress(`processing: ${events} waiting events`)
  const box = await makeBox(run)
  await publishBenchSite(box)
  fillLedger(box.dataFolder, { events })
  const server = await box.start()
  const startedAt = performance.now()
  await until('nothing waits', () => waitingRecords(box) === 0, catchUpSecondsMax)
  const seconds = (performance.now() - startedAt) / 1000
  await server.stop()
  await box.remove()
  return seconds
}

/** One at a time: a service without requests would work off its backlog at the other's expense. */
async function compareLatencies(
  boxes: { alone: CaptureBox; behind: CaptureBox },
  connections: number,
  run: BenchRun,
): Promise<AnswerDelay> {
  const samples: { alone: LoadResult[]; behind: LoadResult[] } = { alone: [], behind: [] }
  for (let round = 0; round < run.options.rounds; round++) {
    samples.alone.push(await measureForms(boxes.alone, connections, run))
    samples.behind.push(await measureForms(boxes.behind, connections, run))
    if (waitingRecords(boxes.behind) === 0) throw new Error('the backlog was worked off before the round was over')
  }
  return { connections, alone: medians(samples.alone), behind: medians(samples.behind) }
}

async function measureForms(box: CaptureBox, connections: number, run: BenchRun): Promise<LoadResult> {
  const { roundSeconds, warmUpSeconds, loadThreads: threads } = run.options
  const server = await box.start()
  const request = await formPath.request(await firstVisit(box))
  const load = { server, request, connections, threads, folder: run.folder }
  await run.load.run({ ...load, seconds: warmUpSeconds })
  const result = await run.load.run({ ...load, seconds: roundSeconds })
  await server.stop()
  return result
}

const medians = (samples: LoadResult[]) => ({
  p50Ms: median(samples.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(samples.map(({ p99Ms }) => p99Ms)),
})

function waitingRecords({ dataFolder }: CaptureBox): number {
  using database = new Database(databaseFile(dataFolder), { readonly: true })
  const row = database.query<{ cursor: number }, []>('SELECT cursor FROM processing').get()
  return storedRecords(dataFolder) - (row?.cursor ?? 0)
}

function neverProcess({ dataFolder }: CaptureBox): void {
  using database = new Database(databaseFile(dataFolder))
  database.run('UPDATE processing SET cursor = ?', [unreachable])
}
