import type { PageView, TrackedEvent } from '../../ledger/entry.ts'
import type { Device, DeviceKey } from '../devices.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { AwaitingLifeQuery } from './clicks.ts'
import { judgeAgain } from './judge-again.ts'

/**
 * Limits the clicks that one sign of life settles, latest first. A real visitor makes no more before a page has loaded.
 */
const settledMax = 20

export const lifeQuery = (device: DeviceKey, since: number): AwaitingLifeQuery => ({ device, since, limit: settledMax })

/**
 * A device that loads a page or sends an event has a visitor behind it, so its clicks so far are judged again. "Later"
 * means later in the ledger, whatever the clock did. Free for devices without such clicks.
 */
export function noteLife(
  entry: PageView | TrackedEvent,
  { account, device, isBot }: { account: ProcessedAccount; device: Device; isBot: boolean },
  state: ProcessingState,
): void {
  if (device.awaitsLifeSince === null || isBot) return
  for (const click of state.clicks.awaitingLife(lifeQuery(device.key, device.awaitsLifeSince))) {
    state.clicks.save(click, { lifeAt: entry.receivedAt })
    judgeAgain(account.id, click, state)
  }
  device.awaitsLifeSince = null
  state.devices.save(device)
}
