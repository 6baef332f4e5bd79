import type { Entry } from '../../ledger/entry.ts'
import type { Device } from '../device-state.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'

/** Keeps where the device came from, when the entry tells. */
export function noteTouch(
  _entry: Entry,
  _visitor: { account: ProcessedAccount; device: Device },
  _state: ProcessingState,
): void {}
