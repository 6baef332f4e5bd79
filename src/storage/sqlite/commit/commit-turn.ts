import type { RefusalCount } from '../../../capture/refusal-log.ts'
import { LedgerUnavailable } from '../../../ledger/ledger.ts'
import type { ChallengeSpend, CommittedBatch } from './write-batch.ts'

/** Whoever waits for something to be on disk. */
interface Waiting<Result> {
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

interface WaitingEntries extends Waiting<void> {
  /** How many entries of the turn they are: a batch of events is several. */
  count: number
}

interface WaitingSpend extends Waiting<boolean> {
  spend: ChallengeSpend
}

interface WaitingRefusals extends Waiting<void> {
  counts: RefusalCount[]
}

/** What one turn of the event loop has brought. */
export class Turn {
  /** The lines of all `entries`, in their order. */
  readonly lines: string[] = []
  readonly entries: WaitingEntries[] = []
  readonly spends: WaitingSpend[] = []
  readonly refusals: WaitingRefusals[] = []
  characters = 0
  /** Whether somebody waits for it. */
  urgent = false
  /** Whether the event loop's turn is over, and it only waits for those on their way. */
  over = false
}

/** A challenge of which nobody knows is refused as one that could not be recorded: spent or not, it may be asked for anew. */
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
