import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchRun } from './bench-run.ts'
import { measureFdatasync } from './fdatasync.ts'
import { openResults } from './kept-results.ts'
import { LoadGenerator } from './load.ts'
import { describeMachine } from './machine.ts'
import { buildNative } from './native.ts'
import { type BenchOptions, pathNames, readOptions, sectionNames, usage } from './options.ts'
import { measureOtherLoad } from './other-load.ts'
import { writePerformancePage } from './performance-page.ts'
import { type BenchResults, renderReport, type Surroundings } from './report.ts'
import { measurements } from './sections.ts'

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
  const { options, folder } = run
  const { results, keep } = await openResults(run)
  const measurable = options.self ? pathNames : sectionNames
  const missing = measurable.filter((name) => options.sections.includes(name) && !(name in results.figures))
  if (missing.length > 0) results.surroundings.push(await measureSurroundings(folder))
  for (const name of missing) {
    Object.assign(results.figures, { [name]: await measurements[name](run) })
    await keep()
  }
  if (missing.length > 0) results.surroundings.push(await measureSurroundings(folder))
  await keep()
  return { machine: await describeMachine(folder), ...results }
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
