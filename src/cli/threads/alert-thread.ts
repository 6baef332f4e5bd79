import type { Config } from '../../config/config.ts'
import type { PeriodicWork } from '../../lib/interval.ts'
import { ServiceThread, type ThreadSurroundings } from './service-thread.ts'
import { workerFile } from './worker-file.ts'

/** What it is sending when it is stopped is sent again after the next start. */
const closeMsMax = 1000

/** The thread that tells people what needs attention, seen from the serving one; there is none where nobody is named. */
export function alerting(config: Config, surroundings: ThreadSurroundings): PeriodicWork {
  const { to, url } = config.alerts
  if (to.length === 0 && url === null) return { stop: async () => {} }
  return new ServiceThread<Config, never>({
    workerFile: workerFile('alert'),
    purpose: 'sends alerts',
    settings: () => config,
    onMessage: () => {},
    ...surroundings,
    closeMsMax,
  })
}
