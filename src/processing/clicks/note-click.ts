import type { Click } from '../../ledger/entry.ts'
import type { Device } from '../device-state.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'

/** Judges the click among the others of its message. */
export function noteClick(
  _click: Click,
  _visitor: { account: ProcessedAccount; device: Device; day: number },
  _state: ProcessingState,
): void {}
