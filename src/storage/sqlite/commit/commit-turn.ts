import type { RefusalCount } from '../../../capture/refusal-log.ts'
import { LedgerUnavailable } from '../../../ledger/ledger.ts'
import type { ChallengeSpend, CommittedBatch } from './write-batch.ts'

/** Somebody who waits until something is on disk. */
interface Waiting<Result> {
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

interface WaitingEntries extends Waiting<void> {
  /** The number of entries; a batch of events has several. */
  count: number
}

interface WaitingSpend extends Waiting<boolean> {
  spend: ChallengeSpend
}

interface WaitingRefusals extends Waiting<void> {
  counts: RefusalCount[]
}

/** What one turn of the event loop brought. */
export class Turn {
  /** The lines of all `entries`, in order. */
  readonly lines: string[] = []
  readonly entries: WaitingEntries[] = []
  readonly spends: WaitingSpend[] = []
  readonly refusals: WaitingRefusals[] = []
  characters = 0
  /** Whether somebody waits for it. */
  urgent = false
  /** Whether the event loop's turn is over, so that it only waits for earlier turns. */
  over = false
}

/**
 * A challenge with an unknown outcome is refused as if it could not be recorded: whether spent or not, the visitor may
 * ask for another.
 */
export function settleSpends(spends: WaitingSpend[], { spent }: CommittedBatch): void {
  for (const [index, waiting] of spends.entries()) {
    const wasUnspent = spent[index]
    if (wasUnspent === undefined) waiting.reject(new LedgerUnavailable('whether the challenge was spent is not known'))
    else waiting.resolve(wasUnspent)
  }
}

export function settleEntries(entries: WaitingEntries[], { homeless }: CommittedBatch): void {
  let position = 0
  for (const waiting of entries) {
    const from = position
    position += waiting.count
    if (homeless.length > 0 && homeless.some((at) => at >= from && at < position)) {
      waiting.reject(new LedgerUnavailable('the account was removed'))
    } else waiting.resolve()
  }
}
