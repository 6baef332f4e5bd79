import type { Machine } from './machine.ts'
import { type BenchOptions, pathNames } from './options.ts'
import { backupsTable, restoreTable } from './report-backups.ts'
import { clusterTable } from './report-cluster.ts'
import { mark, microseconds, milliseconds, whole } from './report-figures.ts'
import { httpsTables } from './report-https.ts'
import { pathTables } from './report-paths.ts'
import { table } from './report-table.ts'
import type { ConsoleResult } from './section-console.ts'
import type { DeliveriesResult } from './section-deliveries.ts'
import type { GrowthResult } from './section-growth.ts'
import type { MemoryResult } from './section-memory.ts'
import type { ProcessingResult } from './section-processing.ts'
import type { ReportResult } from './section-report.ts'
import type { SplitResult } from './section-split.ts'
import type { StartResult } from './section-start.ts'
import type { Figures } from './sections.ts'

/** What the figures owe to disk and neighbours. */
export interface Surroundings {
  /** Of an fdatasync. */
  p50Us: number
  p99Us: number
  /** Share of the processors that others used. */
  otherLoad: number
}

export interface BenchResults {
  machine: Machine
  /** Before and after the load of each run. */
  surroundings: Surroundings[]
  /** Of the sections that ran. */
  figures: Partial<Figures>
}

/** Latencies and ratios are judged where the disk is at least this fast. */
const fdatasyncUsMax = 300
/** The choice of a version adds at most 3 % to a page. */
const splitRatioMin = 0.97
const emptyStartMsMax = 150
const filledStartMsMax = 1000
const idleMegabytesMax = 80
const loadedMegabytesMax = 200
const growthRatioMin = 0.9
const secondsPerMillionMax = 120
const delayMsMax = 5
const reportMsMax = 100
const firstByteMsMax = 50
const pageBytesMax = 100_000

/** The results as Markdown: a line on the machine, then a table for each section that ran. */
export function renderReport(results: BenchResults, options: BenchOptions): string {
  const { figures } = results
  const tables = [
    ...pathTables(
      pathNames.flatMap((name) => figures[name] ?? []),
      options,
    ),
    splitLine(figures.split),
    clusterTable(figures.cluster),
    ...httpsTables(figures.https),
    startTable(figures.start),
    memoryTable(figures.start, figures.memory),
    growthTable(figures.growth),
    catchUpLine(figures.processing),
    delayTable(figures.processing),
    deliveriesTable(figures.deliveries),
    backupsTable(figures.backups),
    restoreTable(figures.restore),
    reportTable(figures.report),
    consoleTable(figures.console),
  ]
  return [machineLine(results, options), ...tables.filter((table) => table !== '')].join('\n\n') + '\n'
}

function machineLine({ machine, surroundings }: BenchResults, options: BenchOptions): string {
  const disk = surroundings
    .map(({ p50Us, p99Us }) => `p50 ${p50Us.toFixed(0)} µs, p99 ${p99Us.toFixed(0)} µs`)
    .join('; then ')
  const judged = surroundings.every(({ p50Us }) => p50Us <= fdatasyncUsMax)
  return [
    `${machine.date}, ${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, Linux ${machine.kernel}, ${machine.fileSystem}, Bun ${machine.bun}.`,
    `${options.connections} connections, ${options.rounds} rounds of ${options.roundSeconds} s in alternation, medians; load generator: wrk, ${options.loadThreads} thread(s), on the same machine.`,
    `fdatasync of 4 KB: ${disk}${judged ? '' : ` (above ${fdatasyncUsMax} µs: the figures are not judged on this disk)`}.`,
    `Other processes used ${surroundings.map(({ otherLoad }) => `${whole(otherLoad * 100)} %`).join('; then ')} of the processors.`,
    ...(options.self ? ['**The bare server against itself: only the noise is measured.**'] : []),
  ].join('\n')
}

function splitLine(result?: SplitResult): string {
  if (!result) return ''
  const { whole: page, split } = result
  const ratio = split.requestsPerSecond / page.requestsPerSecond
  const met = mark(ratio >= splitRatioMin, `${ratio.toFixed(2)} times`)
  return `A page with a split is answered ${met} as often as one without (target: ≥ ${splitRatioMin}), and costs ${microseconds(split.processorUs)} of processor time instead of ${microseconds(page.processorUs)}, all work done.`
}

function startTable(start?: StartResult): string {
  if (!start) return ''
  const filled = `${whole(start.accounts)} accounts, ${whole(start.pages)} pages`
  return table(
    ['First answer after start', 'Time', 'Target'],
    [
      ['empty folder', milliseconds(start.emptyMs), mark(start.emptyMs <= emptyStartMsMax, `≤ ${emptyStartMsMax} ms`)],
      [filled, milliseconds(start.filledMs), mark(start.filledMs <= filledStartMsMax, `≤ ${filledStartMsMax} ms`)],
    ],
  )
}

function memoryTable(start?: StartResult, memory?: MemoryResult): string {
  const rows: string[][] = []
  if (start) rows.push(memoryRow('idle', start.idleMegabytes, idleMegabytesMax))
  if (memory) {
    rows.push(memoryRow(`after ${memory.firstSeconds} s of full load`, memory.firstMegabytes, loadedMegabytesMax))
    rows.push(memoryRow(`after ${memory.lastSeconds} s`, memory.lastMegabytes, loadedMegabytesMax))
    rows.push(['peak', `${whole(memory.peakMegabytes)} MB`, ''])
  }
  return table(['Resident memory', 'Size', 'Target'], rows)
}

const memoryRow = (when: string, megabytes: number, most: number): string[] => [
  when,
  `${whole(megabytes)} MB`,
  mark(megabytes <= most, `≤ ${most} MB`),
]

function growthTable(growth: GrowthResult[] = []): string {
  return table(
    ['Growth', 'Empty /s', 'Grown /s', 'Ratio', 'Target'],
    growth.map(({ path, storedEvents, emptyPerSecond, grownPerSecond, ratio }) => [
      `${path.name} with ${whole(storedEvents)} stored events`,
      whole(emptyPerSecond),
      whole(grownPerSecond),
      ratio.toFixed(2),
      mark(ratio >= growthRatioMin, `≥ ${growthRatioMin.toFixed(2)}`),
    ]),
  )
}

function catchUpLine(processing?: ProcessingResult): string {
  if (!processing) return ''
  const { events, catchUpSeconds } = processing
  const secondsMax = (secondsPerMillionMax * events) / 1e6
  const found = `${catchUpSeconds.toFixed(1)} s, ${whole(events / catchUpSeconds)} /s`
  return `An idle box processes ${whole(events)} waiting events in ${mark(catchUpSeconds <= secondsMax, found)} (target: at most ${whole(secondsMax)} s).`
}

function delayTable(processing?: ProcessingResult): string {
  return table(
    ['Form answers', 'p50', 'p50 with a backlog', 'p99', 'p99 with a backlog', 'Added at p99'],
    (processing?.delays ?? []).map(({ connections, alone, behind }) => [
      `${connections} connections`,
      milliseconds(alone.p50Ms),
      milliseconds(behind.p50Ms),
      milliseconds(alone.p99Ms),
      milliseconds(behind.p99Ms),
      mark(behind.p99Ms - alone.p99Ms <= delayMsMax, milliseconds(behind.p99Ms - alone.p99Ms)),
    ]),
  )
}

function deliveriesTable(result?: DeliveriesResult): string {
  if (!result) return ''
  const { deliveries, drainSeconds, alone, draining } = result
  const rows = [
    [
      `${whole(deliveries)} waiting deliveries are sent in ${drainSeconds.toFixed(0)} s`,
      milliseconds(alone.p50Ms),
      milliseconds(draining.p50Ms),
      milliseconds(alone.p99Ms),
      mark(draining.p99Ms - alone.p99Ms <= delayMsMax, milliseconds(draining.p99Ms)),
    ],
  ]
  return table(['A form every 20 ms', 'p50', 'p50 meanwhile', 'p99', 'p99 meanwhile'], rows)
}

function consoleTable(result?: ConsoleResult): string {
  if (!result) return ''
  const rows = result.pages.map(({ page, firstByteMs, bytes }) => [
    `\`${page}\``,
    mark(firstByteMs <= firstByteMsMax, milliseconds(firstByteMs)),
    mark(bytes <= pageBytesMax, whole(bytes)),
  ])
  return table([`Console with ${whole(result.storedEvents)} stored events`, 'First byte', 'Bytes'], rows)
}

function reportTable(report?: ReportResult): string {
  if (!report) return ''
  const row = (options: string, ms: number, time = milliseconds(ms)) => [
    `capture report ${options} with ${whole(report.storedEvents)} stored events`,
    time,
    milliseconds(ms - report.startMs),
  ]
  const limited = (ms: number) => mark(ms <= reportMsMax, milliseconds(ms))
  return table(
    ['Report', 'Whole command', 'Beyond the start of the executable'],
    [
      row('--since 30d', report.monthMs, limited(report.monthMs)),
      row('--since 90d', report.quarterMs, limited(report.quarterMs)),
      row('--since 30d --html -', report.monthPageMs),
      row('--since 90d --html -', report.quarterPageMs),
    ],
  )
}
