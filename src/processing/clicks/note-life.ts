import type { PageView, TrackedEvent } from '../../ledger/entry.ts'
import type { Device } from '../devices.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import { judgeAgain } from './judge-again.ts'

/**
 * Limits the clicks that one sign of life settles, latest first. A real visitor makes no more before a page has loaded.
 */
const settledMax = 20

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
  const query = { device: device.key, since: device.awaitsLifeSince, limit: settledMax }
  for (const click of state.clicks.awaitingLife(query)) {
    state.clicks.save(click, { lifeAt: entry.receivedAt })
    judgeAgain(account.id, click, state)
  }
  device.awaitsLifeSince = null
  state.devices.save(device)
}
