import type { LoadedConfig } from '../../config/load.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Session } from '../session.ts'

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
