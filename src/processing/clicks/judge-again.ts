import type { ClickVerdict } from '../../ledger/entry.ts'
import type { Verdicts } from '../../verdict/verdicts.ts'
import { figureOfClick } from '../figures/measures.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { ClickFact, StoredClick } from './click-fact.ts'
import type { ClicksAroundQuery } from './clicks.ts'
import { burstOf, judgementOf } from './judgement.ts'

/**
 * Limits the clicks compared on either side of a click. A visitor who clicks more often within the seconds of a burst,
 * and on few destinations only, may go unnoticed.
 */
const neighboursMax = 32

type JudgingState = Pick<ProcessingState, 'clicks' | 'figures' | 'verdicts'>

/** The query for clicks that may form a burst with one. */
export const aroundQuery = (
  { accountId, group, at }: Pick<ClicksAroundQuery, 'accountId' | 'group' | 'at'>,
  { clickRules }: Verdicts,
): ClicksAroundQuery => ({
  accountId,
  group,
  at,
  withinMs: clickRules.burst.seconds * 1000,
  limit: neighboursMax,
})

/** The clicks that a click may form a burst with. */
export const clicksAround = (
  accountId: string,
  { burstGroup: group, receivedAt: at }: Pick<ClickFact, 'burstGroup' | 'receivedAt'>,
  { clicks, verdicts }: JudgingState,
): StoredClick[] => clicks.around(aroundQuery({ accountId, group, at }, verdicts))

/** Judges a stored click again by today's rules and present knowledge, and adjusts the figures. Returns the verdict. */
export function judgeAgain(accountId: string, fact: StoredClick, state: JudgingState): ClickVerdict {
  const click = state.clicks.captured({ accountId, key: fact.key })
  if (click === null) return fact.verdict
  const burst = burstOf(fact, clicksAround(accountId, fact, state), state.verdicts)
  const { verdict, reasons } = judgementOf(click, { ...fact, burst }, state.verdicts)
  if (verdict === fact.verdict && reasons.join() === fact.reasons.join()) return verdict
  countClick(accountId, fact, -1, state)
  state.clicks.save(fact, { verdict, reasons })
  countClick(accountId, fact, 1, state)
  return verdict
}

/** Adds a click to the figures of its day, or takes it out of them. */
export const countClick = (
  accountId: string,
  click: ClickFact,
  count: 1 | -1,
  { figures }: Pick<JudgingState, 'figures'>,
): void => figures.add(accountId, { ...figureOfClick(click), count })
