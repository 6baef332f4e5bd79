import type { BenchOptions } from './options.ts'
import { mark, microseconds, milliseconds, whole } from './report-figures.ts'
import { table } from './report-table.ts'
import type { PathResult } from './section-paths.ts'

const p99MsMax = 15
const batchFactorMin = 3
/** Least share of the native yardstick's requests per second. */
const nativeRatioMin = 0.6

/** What was measured of the paths; nothing where none was. */
export function pathTables(paths: PathResult[], { native, self }: Pick<BenchOptions, 'native' | 'self'>): string[] {
  if (paths.length === 0) return []
  const unmeasured = native === null && !self ? 'No native program was measured: `--native DIR` names one.' : ''
  return [pathsTable(paths), processorTable(paths), batchesLine(paths), unmeasured]
}

/** The columns of the native yardstick are there when it was measured. */
function pathsTable(paths: PathResult[]): string {
  const hasNative = paths.some(({ native }) => native !== null)
  return table(
    [
      ...['Path', 'Bare /s', 'Capture /s', 'Ratio', 'Target'],
      ...(hasNative ? ['Native /s', 'Ratio to native', 'Target'] : []),
      ...['p50', 'p99', 'Bare p99', 'Cores', 'Records /s'],
    ],
    paths.map(({ path, bare, measured, ratio, native }) => [
      path.title,
      whole(bare.requestsPerSecond),
      whole(measured.requestsPerSecond),
      ratio.toFixed(2),
      mark(ratio >= path.ratioMin, `≥ ${path.ratioMin.toFixed(2)}`),
      ...(native === null
        ? []
        : [
            whole(native.result.requestsPerSecond),
            native.ratio.toFixed(2),
            mark(native.ratio >= nativeRatioMin, `≥ ${nativeRatioMin.toFixed(2)}`),
          ]),
      milliseconds(measured.p50Ms),
      mark(measured.p99Ms <= p99MsMax, milliseconds(measured.p99Ms)),
      milliseconds(bare.p99Ms),
      measured.cores.toFixed(2),
      whole(measured.requestsPerSecond * path.records),
    ]),
  )
}

/** What a request costs the machine in the end: answering, storing and, in Capture, processing it. */
function processorTable(paths: PathResult[]): string {
  const hasNative = paths.some(({ native }) => native !== null)
  return table(
    [
      ...['Processor time of a request, all work done', 'Bare', 'Capture', 'Ratio'],
      ...(hasNative ? ['Native', 'Ratio to native'] : []),
    ],
    paths.map(({ path, bare, measured, native }) => [
      path.title,
      microseconds(bare.processorUs),
      microseconds(measured.processorUs),
      (measured.processorUs / bare.processorUs).toFixed(1),
      ...(native === null
        ? []
        : [microseconds(native.result.processorUs), (measured.processorUs / native.result.processorUs).toFixed(1)]),
    ]),
  )
}

/** What a batch is for: more events for the same work. */
function batchesLine(paths: PathResult[]): string {
  const recordsPerSecond = (name: string): number | undefined => {
    const found = paths.find(({ path }) => path.name === name)
    return found && found.measured.requestsPerSecond * found.path.records
  }
  const single = recordsPerSecond('event')
  const batched = recordsPerSecond('batch')
  if (single === undefined || batched === undefined) return ''
  const factor = batched / single
  return `Batches of 20 carry ${mark(factor > batchFactorMin, `${factor.toFixed(1)} times`)} the events of batches of 1 (target: more than ${batchFactorMin}).`
}
