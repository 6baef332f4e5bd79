import type { DeliveryNotice, DeliverySettings } from '../../delivery/delivery-settings.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PeriodicWork } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import { workerFile } from '../../lib/thread/worker-file.ts'
import type { DeliveryFigures } from '../../operator/delivery-figures.ts'
import { ServiceThread } from '../serve/service-thread.ts'

interface DeliveryThreadParts {
  clock: Pick<Clock, 'monotonicMs'>
  log: Log
  figures: DeliveryFigures
}

/**
 * The thread that delivers, seen from the serving one: receivers, TLS and the database's write lock must never keep an answer
 * waiting. Its queue is the outbox, so it is told nothing while it runs.
 */
export const deliveringThread = (
  settings: DeliverySettings,
  { clock, log, figures }: DeliveryThreadParts,
): PeriodicWork =>
  new ServiceThread<DeliverySettings, DeliveryNotice>({
    workerFile: workerFile('storage/sqlite/delivery/delivery-worker.ts'),
    purpose: 'delivers',
    settings: () => settings,
    onMessage: ({ counts }) => figures.use(counts),
    clock,
    log,
  })
