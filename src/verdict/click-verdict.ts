import type { ClickVerdict } from '../ledger/entry.ts'
import { type AgentSign, agentSign } from './agent-sign.ts'
import type { BurstKind } from './burst.ts'
import type { ClickEvidence } from './click-evidence.ts'
import { type ClickRules, type ClickSign, clickRules } from './click-rules.ts'

/** A verdict with the signs that led to it. */
export interface Judgement {
  verdict: ClickVerdict
  reasons: ClickSign[]
}

/** Evidence about a click from outside its own request. */
export interface ClickCircumstances {
  secondsAfterSending: number
  /** The burst that the click is part of, as far as known. */
  burst?: BurstKind | null
  /** `shown`: its device later loaded a page or sent an event. `missing`: it should have, but has not yet. */
  life?: 'shown' | 'missing' | 'not_expected'
}

/**
 * Judges a click (docs/links-in-email.md). At capture the request is all there is; processing judges it
 * again among the other clicks of its message, and when its device shows life. No click is dropped, whatever the verdict.
 *
 * @param signOf the sign of a user agent; a caller that judges many clicks may cache it
 */
export function judgeClick(
  evidence: ClickEvidence,
  circumstances: ClickCircumstances,
  rules: ClickRules = clickRules,
  signOf: (userAgent: string) => AgentSign = agentSign,
): Judgement {
  const isAlive = circumstances.life === 'shown'
  const machine: ClickSign[] = []
  const suspected: ClickSign[] = []
  for (const sign of [...signsOfRequest(evidence, signOf), ...signsOfCircumstances(circumstances, rules)]) {
    const meaning = rules.signs[sign]
    if (meaning === undefined || (isAlive && meaning.endsWith('_until_life'))) continue
    if (meaning.startsWith('machine')) machine.push(sign)
    else suspected.push(sign)
  }
  if (machine.length > 0) return { verdict: 'machine', reasons: machine }
  return { verdict: suspected.length > 0 ? 'suspected' : 'human', reasons: suspected }
}

function signsOfRequest({ method, headers }: ClickEvidence, signOf: (userAgent: string) => AgentSign): ClickSign[] {
  const userAgent = headers['user-agent'] ?? ''
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz'] ?? ''
  // Robots name their owner in `From` (RFC 9110 section 10.1.2); no browser sends the header.
  const agent = headers.from === undefined ? signOf(userAgent) : 'scanner'
  const signs: ClickSign[] = []
  if (method === 'HEAD') signs.push('head')
  if (purpose.includes('prefetch') || purpose.includes('preview')) signs.push('prefetch')
  if (agent !== null) signs.push(agent)
  if (userAgent === '') signs.push('no_user_agent')
  if (headers['accept-language'] === undefined) signs.push('no_language')
  return signs
}

function signsOfCircumstances(
  { secondsAfterSending, burst, life }: ClickCircumstances,
  { secondsAfterSendingMin }: ClickRules,
): ClickSign[] {
  const signs: ClickSign[] = []
  if (burst === 'own') signs.push('burst')
  if (burst === 'shared') signs.push('shared_burst')
  if (secondsAfterSending < secondsAfterSendingMin) signs.push('soon_after_sending')
  if (life === 'missing') signs.push('no_sign_of_life')
  return signs
}
