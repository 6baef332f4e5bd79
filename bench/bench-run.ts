import type { LoadGenerator } from './load.ts'
import type { BenchOptions } from './options.ts'

/** What every section of the bench works with. */
export interface BenchRun {
  options: BenchOptions
  load: LoadGenerator
  /** Where this run keeps its own files; gone afterwards. */
  folder: string
  /** The program of the native yardstick; `null`: none is measured. */
  native: string | null
  /** Ends every process that this run started, when it fails or is interrupted. */
  signal: AbortSignal
  /** Tells the one who waits what is going on. */
  progress(line: string): void
}
