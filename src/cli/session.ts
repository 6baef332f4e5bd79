import { processEnvironment } from '../config/environment.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Clock } from '../lib/clock.ts'
import { systemClock } from '../lib/clock.ts'
import type { MessageStream, ResultStream } from './output/streams.ts'
import { standardError, standardOutput } from './output/streams.ts'

export interface World {
  argv: string[]
  env: Record<string, string | undefined>
  /** Absolute. */
  cwd: string
  clock: Clock
  /** Standard output: results, nothing else. */
  out: ResultStream
  /** Standard error: everything else. */
  err: MessageStream
}

export interface Session extends World {
  /** The configuration that `--config` names, or the default one (docs/running.md). Read once; warnings go to `err`. */
  loadConfig(): Promise<LoadedConfig>
}

export function processWorld(): World {
  return {
    argv: process.argv.slice(2),
    env: processEnvironment(),
    cwd: process.cwd(),
    clock: systemClock,
    out: standardOutput(),
    err: standardError(),
  }
}

/** A thread has neither arguments nor a terminal. */
export const quietSession = (loaded: LoadedConfig, clock: Clock): Session => ({
  argv: [],
  env: {},
  cwd: loaded.config.dataDir,
  clock,
  out: { isTerminal: false, write: async () => {} },
  err: { isTerminal: false, write: () => {} },
  loadConfig: async () => loaded,
})
