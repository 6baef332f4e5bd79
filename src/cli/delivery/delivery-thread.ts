import type { DeliverySettings, FromDeliverer, ToDeliverer } from '../../delivery/thread-messages.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PeriodicWork } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import type { DeliveryFigures } from '../../operator/delivery-figures.ts'
import { deliveryWorkerFile } from '../open.ts'
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
  new ServiceThread<ToDeliverer, FromDeliverer>({
    workerFile: deliveryWorkerFile(),
    purpose: 'delivers',
    begin: { begin: settings },
    onMessage: (message) => {
      if ('counts' in message) figures.use(message.counts)
      else log[message.log.level](message.log.message, message.log.fields)
    },
    clock,
    log,
  })
