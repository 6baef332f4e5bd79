import type { FromBackup, ToBackup } from '../../../backup/thread-messages.ts'
import type { Config } from '../../../config/config.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { PeriodicWork } from '../../../lib/interval.ts'
import type { Log } from '../../../lib/log.ts'
import type { BackupFigures } from '../../../operator/backup-figures.ts'
import { ServiceThread } from '../../serve/service-thread.ts'
import { backupWorkerFile } from './worker-files.ts'

interface BackupThreadParts {
  clock: Pick<Clock, 'monotonicMs'>
  log: Log
  figures: BackupFigures
}

/** The thread that keeps targets up to date, seen from the serving one; without targets there is none. */
export function backingUp(config: Config, { clock, log, figures }: BackupThreadParts): PeriodicWork {
  if (config.backup.to.length === 0) return { stop: async () => {} }
  return new ServiceThread<ToBackup<Config>, FromBackup>({
    workerFile: backupWorkerFile(),
    purpose: 'backs up',
    begin: { begin: config },
    onMessage: (message) => {
      if ('state' in message) figures.use(message.state)
      else log[message.log.level](message.log.message, message.log.fields)
    },
    clock,
    log,
  })
}
