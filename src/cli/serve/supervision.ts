import { WriterGone } from '../../ledger/writer.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import { plural } from '../../lib/quantities.ts'
import type { SiteDirectory } from '../../listener/site-directory.ts'
import type { CapturingBox } from '../open.ts'
import { programVersion } from '../version.ts'
import type { ServiceManager } from './service-manager.ts'

const statusMs = 1000
/** Signs of life per watchdog interval; two of them may be late. */
const beatsPerWatchdog = 3

interface Supervised {
  manager: ServiceManager
  box: Pick<CapturingBox, 'probeCommit'>
  directory: SiteDirectory
  log: Log
}

/**
 * Reports readiness, status and signs of life to the service manager, each after the writing thread has answered. Call it when the
 * ports are bound.
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
 * Whether the writing thread completes a commit. A refusal by a full or read-only disk counts as an answer too: pages are still
 * served, and a restart does not repair a disk.
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
