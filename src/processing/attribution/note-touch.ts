import type { Device } from '../devices.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import { receiptOf } from '../receipt.ts'
import { type Hit, isDirect } from './touch.ts'

/**
 * Keeps where the device came from, if the record says so. A direct view says nothing once something came before it,
 * and is skipped. If one was kept and an earlier touch is committed later, first and last touch stay right. Returns
 * whether a touch was kept.
 */
export function noteTouch(
  hit: Hit,
  { account, device }: { account: ProcessedAccount; device: Pick<Device, 'key'> },
  { touches, touchOf }: Pick<ProcessingState, 'touches' | 'touchOf'>,
): boolean {
  const touch = touchOf(hit, account)
  if (touch === null) return false
  const receipt = receiptOf(hit)
  if (isDirect(touch) && touches.hasEarlier(device.key, receipt)) return false
  touches.add(device.key, touch, receipt)
  return true
}
