import type { DeliveryNotice, DeliverySettings } from '../../delivery/delivery-settings.ts'
import type { PeriodicWork } from '../../lib/interval.ts'
import { workerFile } from '../../lib/thread/worker-file.ts'
import type { DeliveryFigures } from '../../operator/delivery-figures.ts'
import { ServiceThread, type ThreadSurroundings } from '../serve/service-thread.ts'

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
    workerFile: workerFile('storage/sqlite/delivery/delivery-worker.ts'),
    purpose: 'delivers',
    settings: () => settings,
    onMessage: ({ counts }) => figures.use(counts),
    ...surroundings,
  })
