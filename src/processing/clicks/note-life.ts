import type { PageView, TrackedEvent } from '../../ledger/entry.ts'
import type { Device } from '../device-state.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'

/** A device that loads a page or sends an event has somebody behind it: its clicks are judged again. */
export function noteLife(
  _entry: PageView | TrackedEvent,
  _visitor: { account: ProcessedAccount; device: Device; isBot: boolean },
  _state: ProcessingState,
): void {}
