import type { DeviceKey } from '../device-state.ts'
import type { Receipt } from '../receipt.ts'
import type { Touch } from './touch.ts'

export interface TouchState {
  add(device: DeviceKey, touch: Touch, receipt: Receipt): void
  /** Whether any touch of the device came before. */
  hasEarlier(device: DeviceKey, receipt: Receipt): boolean
  /** The device's first touch up to then, and its last one that is not direct (the first, when all are). */
  upTo(device: DeviceKey, receipt: Receipt): { first: Touch | null; last: Touch | null }
}
