import { WriterGone } from '../../ledger/writer.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import { plural } from '../../lib/quantities.ts'
import type { SiteDirectory } from '../../listener/site-directory.ts'
import type { CapturingBox } from '../open.ts'
import { programVersion } from '../version.ts'
import type { ServiceManager } from './service-manager.ts'

const statusMs = 1000
/** Signs of life in the time within which the manager wants one: two may be late. */
const beatsPerWatchdog = 3

interface Supervised {
  manager: ServiceManager
  box: Pick<CapturingBox, 'probeCommit'>
  directory: SiteDirectory
  log: Log
}

/**
 * Tells the service manager that the service is ready, how it does, and that it lives: once the writing thread has
 * answered what it was asked on this one. To be called when the port is bound.
 */
export function supervise({ manager, box, directory, log }: Supervised): PeriodicWork {
  if (!manager.isWatching) return { stop: async () => {} }
  const tell = async () => {
    if (manager.isReady || (await writerAnswers(box))) manager.serving(servingText(directory))
  }
  const beat = async () => {
    if (await writerAnswers(box)) manager.alive()
  }
  void tell()
  const telling = everyInterval(statusMs, tell, log)
  const beating = manager.watchdogMs === null ? null : everyInterval(manager.watchdogMs / beatsPerWatchdog, beat, log)
  return {
    stop: async () => {
      await telling.stop()
      await beating?.stop()
    },
  }
}

/**
 * Whether the writing thread takes a commit to its end. That the disk refuses it (it is full, or read-only) is an answer
 * as well: pages are served all the same, and a restart mends no disk.
 */
async function writerAnswers(box: Pick<CapturingBox, 'probeCommit'>): Promise<boolean> {
  try {
    await box.probeCommit()
    return true
  } catch (error) {
    return !(error instanceof WriterGone)
  }
}

const servingText = ({ accountCount, domainCount }: SiteDirectory): string =>
  `Serving ${plural(accountCount, 'account')} on ${plural(domainCount, 'domain')}, ${programVersion}`
