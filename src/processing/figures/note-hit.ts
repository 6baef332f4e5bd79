import type { Click, PageView, TrackedEvent } from '../../ledger/entry.ts'
import type { Device } from '../device-state.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'

/** What an entry added to which day's figures, so that its erasure can take it back. */
export interface CountedHit {
  /** Days since 1970 in the account's time zone. */
  day: number
  /** Bits of what was counted. */
  counted: number
}

/** Views, visits, visitors and events of the day. */
export function noteHit(
  _entry: PageView | TrackedEvent | Click,
  _hit: { account: ProcessedAccount; device: Device; isBot: boolean },
  _state: ProcessingState,
): CountedHit {
  return { day: 0, counted: 0 }
}
