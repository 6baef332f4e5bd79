import type { DeliveryNotice, DeliverySettings } from '../../delivery/deliverer.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import type { DeliveryFigures } from '../../operator/figures.ts'
import { ServiceThread, type ThreadSurroundings } from './service-thread.ts'
import { workerFile } from './worker-file.ts'

interface DeliveryThreadParts extends ThreadSurroundings {
  figures: DeliveryFigures
}

/**
 * The thread that delivers, seen from the serving one: receivers, TLS and the database's write lock must never keep an answer
 * waiting. Its queue is the outbox, so it is told nothing while it runs.
 */
export const deliveringThread = (
  settings: DeliverySettings,
  { figures, ...surroundings }: DeliveryThreadParts,
): PeriodicWork =>
  new ServiceThread<DeliverySettings, DeliveryNotice>({
    workerFile: workerFile('delivery'),
    purpose: 'delivers',
    settings: () => settings,
    onMessage: ({ counts }) => figures.use(counts),
    ...surroundings,
  })

/** A submission is delivered within 5 s of its capture (docs/deliveries.md), the first of a box too. */
const lookMs = 1000

interface Delivering {
  /** Whether there is, or was, a destination. */
  isNeeded: () => boolean
  start: () => PeriodicWork
  log: Pick<Log, 'error'>
}

/** Starts the delivering thread once there is a destination: a box without any is spared the memory of it. */
export function deliverWhenNeeded({ isNeeded, start, log }: Delivering): PeriodicWork {
  let thread = isNeeded() ? start() : null
  const looking = everyInterval(
    lookMs,
    async () => {
      if (thread === null && isNeeded()) thread = start()
    },
    log,
  )
  return {
    stop: async () => {
      await Promise.all([looking.stop(), thread?.stop()])
    },
  }
}
