import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchRun } from './bench-run.ts'
import { measureFdatasync } from './fdatasync.ts'
import { LoadGenerator } from './load.ts'
import { describeMachine } from './machine.ts'
import { buildNative } from './native.ts'
import { type BenchOptions, readOptions, type SectionName, usage } from './options.ts'
import { measureOtherLoad } from './other-load.ts'
import type { BenchPath } from './paths/path.ts'
import { writePerformancePage } from './performance-page.ts'
import { type BenchResults, renderReport, type Surroundings } from './report.ts'
import { measureBackups } from './section-backups.ts'
import { measureConsole } from './section-console.ts'
import { measureDeliveries } from './section-deliveries.ts'
import { measureGrowth } from './section-growth.ts'
import { measureHttps } from './section-https.ts'
import { measureMemory } from './section-memory.ts'
import { measurePaths } from './section-paths.ts'
import { measureProcessing } from './section-processing.ts'
import { measureReport } from './section-report.ts'
import { measureRestore } from './section-restore.ts'
import { measureStart } from './section-start.ts'

const options = optionsOrUsage(Bun.argv.slice(2))
if (options) await bench(options)

function optionsOrUsage(argv: string[]): BenchOptions | null {
  try {
    const options = readOptions(argv)
    if (!options) process.stdout.write(usage)
    return options
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exitCode = 2
    return null
  }
}

async function bench(options: BenchOptions): Promise<void> {
  await expectTools(options)
  const folder = await mkdtemp(join(options.workFolder, 'capture-bench-'))
  const progress = (line: string) => process.stderr.write(`… ${line}\n`)
  const native = await builtNative(options, progress)
  const results = await endingAll(
    (signal) => measure({ options, folder, native, load: new LoadGenerator(signal), signal, progress }),
    folder,
  )
  const report = renderReport(results, options)
  process.stdout.write(report)
  if (options.write) progress(`written to ${await writePerformancePage(report)}`)
  // Only after success: what a failed run leaves behind (logs, databases) tells why.
  await rm(folder, { recursive: true, force: true })
}

async function builtNative(
  { native, self, workFolder }: BenchOptions,
  progress: BenchRun['progress'],
): Promise<string | null> {
  if (native === null || self) return null
  progress(`native: building ${native}`)
  return buildNative(native, workFolder)
}

async function measure(run: BenchRun): Promise<BenchResults> {
  const wants = (section: Exclude<SectionName, BenchPath['name']>) =>
    !run.options.self && run.options.sections.includes(section)
  const before = await measureSurroundings(run.folder)
  const paths = await measurePaths(run)
  const https = wants('https') ? await measureHttps(run) : null
  const start = wants('start') ? await measureStart(run) : null
  const memory = wants('memory') ? await measureMemory(run) : null
  const growth = wants('growth') ? await measureGrowth(run) : []
  const processing = wants('processing') ? await measureProcessing(run) : null
  const deliveries = wants('deliveries') ? await measureDeliveries(run) : null
  const backups = wants('backups') ? await measureBackups(run) : null
  const restore = wants('restore') ? await measureRestore(run) : null
  const report = wants('report') ? await measureReport(run) : null
  const console = wants('console') ? await measureConsole(run) : null
  const surroundings = [before, await measureSurroundings(run.folder)]
  const machine = await describeMachine(run.folder)
  return {
    machine,
    surroundings,
    paths,
    https,
    start,
    memory,
    growth,
    processing,
    deliveries,
    backups,
    restore,
    report,
    console,
  }
}

/** Leaves no server behind: not after a failure, not after Ctrl-C. */
async function endingAll<T>(work: (signal: AbortSignal) => Promise<T>, folder: string): Promise<T> {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  process.once('SIGTERM', () => controller.abort())
  try {
    return await work(controller.signal)
  } catch (error) {
    controller.abort()
    throw new Error(`the bench broke off; what it left is in ${folder}`, { cause: error })
  }
}

async function measureSurroundings(folder: string): Promise<Surroundings> {
  return { ...measureFdatasync(folder), otherLoad: await measureOtherLoad() }
}

async function expectTools({ binary, self, native }: BenchOptions): Promise<void> {
  if (Bun.which('wrk') === null) throw new Error('wrk, the load generator, is not installed: ./install.sh --dev')
  if (native !== null && Bun.which('cargo') === null) {
    throw new Error('cargo, which builds the native yardstick, is not installed: leave --native out')
  }
  if (!self && !(await Bun.file(binary).exists())) throw new Error(`${binary} is not built: bun run build`)
}
