import type { TargetState } from '../../backup/target-state.ts'
import type { Config } from '../../config/config.ts'
import type { PeriodicWork } from '../../lib/interval.ts'
import type { BackupFigures } from '../../operator/figures.ts'
import { ServiceThread, type ThreadSurroundings } from './service-thread.ts'
import { workerFile } from './worker-file.ts'

/** Captures wait for it when another process takes over; what is cut is sent again by that one, as after a crash. */
const closeMsMax = 1000

interface BackupThreadParts extends ThreadSurroundings {
  figures: BackupFigures
}

/** The thread that keeps targets up to date, seen from the serving one; without targets there is none. */
export function backingUp(config: Config, { figures, ...surroundings }: BackupThreadParts): PeriodicWork {
  if (config.backup.to.length === 0) return { stop: async () => {} }
  return new ServiceThread<Config, { state: TargetState }>({
    workerFile: workerFile('backup'),
    purpose: 'backs up',
    settings: () => config,
    onMessage: ({ state }) => figures.use(state),
    ...surroundings,
    closeMsMax,
  })
}
