import type { DestinationKey } from '../../delivery/outbox.ts'
import type { Submission } from '../../ledger/entry.ts'
import type { EntryKey, UnderWay } from '../entry-key.ts'

/** A submission to be sent to a destination. */
interface NotedDelivery {
  destination: DestinationKey
  /** Of the submission. */
  key: EntryKey
  submission: Submission
  isDuplicate: boolean
  /** When the submission began to count, epoch milliseconds. */
  at: number
}

/**
 * What the step's entries add to the outbox. Only a step that processes entries for the first time keeps it, so that
 * refolding sends nothing twice.
 */
export class Deliveries {
  readonly added: NotedDelivery[] = []

  constructor(private readonly underWay: UnderWay) {}

  /** @param key of the submission */
  add(delivery: Omit<NotedDelivery, 'key'>, key: EntryKey = this.underWay.key): void {
    this.added.push({ ...delivery, key })
  }
}
