import type { DestinationKey } from '../../delivery/outbox.ts'
import type { Submission } from '../../ledger/entry.ts'
import type { EntryKey, UnderWay } from '../entry-key.ts'

/** A submission that is to be sent to a destination. */
interface NotedDelivery {
  destination: DestinationKey
  /** Of the submission. */
  key: EntryKey
  submission: Submission
  isDuplicate: boolean
  /** When the submission came to count, epoch milliseconds. */
  at: number
}

/**
 * What the entries of a step add to the outbox. Only a step that processes its entries for the first time keeps them:
 * folding an entry again sends nothing again.
 */
export class Deliveries {
  readonly added: NotedDelivery[] = []

  constructor(private readonly underWay: UnderWay) {}

  /** @param key of the submission */
  add(delivery: Omit<NotedDelivery, 'key'>, key: EntryKey = this.underWay.key): void {
    this.added.push({ ...delivery, key })
  }
}
