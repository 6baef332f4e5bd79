import type { Click, ClickVerdict } from '../ledger/entry.ts'
import { type AgentSign, agentSign } from './bot-agent.ts'
import rules from './click-rules.json' with { type: 'json' }

/** Evidence from the click's own request. It is stored with the click, so new rules can judge it again. */
export type ClickEvidence = Click['evidence']

/** Headers that tell a browser from a machine. */
const evidenceHeaders = [
  'user-agent',
  'accept',
  'accept-language',
  'sec-purpose',
  'purpose',
  'x-moz',
  'sec-fetch-mode',
  'sec-fetch-dest',
  'from',
] as const

const headerCharactersMax = 300

export function clickEvidence(request: Request): ClickEvidence {
  const headers: Record<string, string> = {}
  for (const name of evidenceHeaders) {
    const value = request.headers.get(name)
    if (value !== null) headers[name] = value.slice(0, headerCharactersMax)
  }
  return { method: request.method, headers }
}

/** Signs against a person behind a click. Each is a reason of a verdict (docs/links-in-email.md). */
export const clickSigns = [
  'head',
  'scanner',
  'bot_agent',
  'no_user_agent',
  'prefetch',
  'burst',
  'shared_burst',
  'soon_after_sending',
  'no_language',
  'no_sign_of_life',
] as const

export type ClickSign = (typeof clickSigns)[number]

/** What a sign makes of a click; `…_until_life`: no longer once its device loads a page or sends an event. */
export const signMeanings = ['machine', 'machine_until_life', 'suspected', 'suspected_until_life'] as const

export interface ClickRules {
  /** A missing sign has no effect. */
  signs: Partial<Record<ClickSign, (typeof signMeanings)[number]>>
  /** Scanners follow a link as the mail arrives; few people do within this time of its sending. */
  secondsAfterSendingMin: number
  /** No person opens this many destinations of one message within this many seconds. */
  burst: { destinationsMin: number; seconds: number }
  /** Destinations on the connected domain below these record nothing of a browser that arrives there. */
  lifelessPaths: string[]
}

/** Today's rules. */
export const clickRules = rules as ClickRules

/**
 * `own`: by what is surely one visitor, a device or, for one recipient, one user agent. `shared`: only together with
 * others of the same recipient, or of the same address and user agent, where two visitors may stand close together.
 */
export type BurstKind = 'own' | 'shared'

/** A click near the judged click, of the same message and group. */
export interface NearClick {
  /** Epoch milliseconds. */
  at: number
  url: string
  /** Whether it is certainly by the same visitor as the judged click. */
  isOwn: boolean
}

/**
 * What the click is part of: some stretch of time around it holds clicks to many destinations. `near` holds the click
 * itself. A function of the set: it does not matter in which order clicks became known.
 */
export function burstAround(at: number, near: readonly NearClick[], rule: ClickRules['burst']): BurstKind | null {
  if (!isBurst(at, near, rule)) return null
  const own = near.filter(({ isOwn }) => isOwn)
  return isBurst(at, own, rule) ? 'own' : 'shared'
}

function isBurst(at: number, clicks: readonly NearClick[], { destinationsMin, seconds }: ClickRules['burst']): boolean {
  if (!leadTo(destinationsMin, clicks)) return false
  const ms = seconds * 1000
  // A stretch starts at one of its clicks.
  const begins = new Set(clicks.map((click) => click.at).filter((begin) => begin <= at && begin >= at - ms))
  for (const begin of begins) {
    const stretch = clicks.filter((click) => click.at >= begin && click.at <= begin + ms)
    if (leadTo(destinationsMin, stretch)) return true
  }
  return false
}

/** Whether the clicks lead to at least so many destinations. */
export function leadTo(destinationsMin: number, clicks: readonly { url: string }[]): boolean {
  const urls = new Set<string>()
  return clicks.some(({ url }) => urls.add(url).size >= destinationsMin)
}

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
