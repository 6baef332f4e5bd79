import type { Click } from '../../ledger/entry.ts'
import type { Verdicts } from '../../verdict/verdicts.ts'
import type { Device } from '../devices.ts'
import { figureName } from '../figures/measures.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import { agentHash, burstGroup, isSameVisitor } from './burst-group.ts'
import type { ClickFact, StoredClick } from './click-fact.ts'
import { clicksAround, countClick, judgeAgain } from './judge-again.ts'
import { burstOf, judgementOf } from './judgement.ts'

/**
 * Judges the click among the others of its message, and judges again those that turn out to belong to its burst.
 *
 * No sign of life can have come yet, since the click was stored before it was answered. A click on a landing page is
 * suspected until one comes; for a person's browser that is the page view that follows.
 */
export function noteClick(
  click: Click,
  { account, device, day }: { account: ProcessedAccount; device: Device; day: number },
  state: ProcessingState,
): void {
  const unjudged: ClickFact = { ...factOf(click), device: device.key, day }
  const others = clicksAround(account.id, unjudged, state)
  const burst = burstOf(unjudged, [unjudged, ...others], state.verdicts)
  const fact = { ...unjudged, ...judgementOf(click, { lifeAt: null, burst }, state.verdicts) }
  state.clicks.add(click, fact)
  countClick(account.id, fact, 1, state)
  awaitLife(device, fact, state)
  if (burst === null) return
  for (const other of others) if (mayJoinBurst(other, fact, state.verdicts)) judgeAgain(account.id, other, state)
}

const factOf = (click: Click): Omit<ClickFact, 'device' | 'day'> => ({
  receivedAt: click.receivedAt,
  message: figureName(click.message ?? ''),
  recipient: click.recipient,
  url: click.url,
  burstGroup: burstGroup(click),
  agent: agentHash(click),
  verdict: click.verdict,
  reasons: click.reasons,
  lifeAt: null,
})

function awaitLife(device: Device, { receivedAt }: ClickFact, { devices }: ProcessingState): void {
  device.awaitsLifeSince = Math.min(device.awaitsLifeSince ?? receivedAt, receivedAt)
  devices.save(device)
}

/** Whether the new click, itself part of a burst, may draw another click into it. */
function mayJoinBurst(other: StoredClick, added: ClickFact, { clickRules }: Verdicts): boolean {
  if (other.reasons.includes('burst')) return false
  if (isSameVisitor(other, added)) return true
  const isForgiven = other.lifeAt !== null && clickRules.signs.shared_burst?.endsWith('_until_life')
  return !isForgiven && !other.reasons.includes('shared_burst')
}
