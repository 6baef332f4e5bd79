import type { Device } from '../devices.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import { type Hit, isDirect } from './touch.ts'

/**
 * Keeps where the device came from, when the record tells. A direct view says nothing once something came before it, and
 * is not kept then; one that is kept although something earlier is committed later changes no first or last touch.
 * Answers whether something was kept.
 */
export function noteTouch(
  hit: Hit,
  { account, device }: { account: ProcessedAccount; device: Pick<Device, 'key'> },
  { touches, touchOf }: Pick<ProcessingState, 'touches' | 'touchOf'>,
): boolean {
  const touch = touchOf(hit, account)
  if (touch === null) return false
  const receipt = { at: hit.receivedAt, id: hit.id }
  if (isDirect(touch) && touches.hasEarlier(device.key, receipt)) return false
  touches.add(device.key, touch, receipt)
  return true
}
