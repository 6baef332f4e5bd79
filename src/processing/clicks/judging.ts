import type { Click, ClickVerdict, PageView, TrackedEvent } from '../../ledger/entry.ts'
import {
  type BurstKind,
  burstAround,
  type ClickCircumstances,
  type Judgement,
  leadTo,
} from '../../verdict/click-verdict.ts'
import type { Verdicts } from '../../verdict/verdicts.ts'
import type { Device } from '../devices.ts'
import { figureName, figuresOfClick } from '../figures/measures.ts'
import type { ProcessedAccount } from '../ledger-item.ts'
import type { ProcessingState } from '../processing-state.ts'
import {
  agentHash,
  burstGroup,
  type ClickFact,
  type ClicksAroundQuery,
  isSameVisitor,
  type StoredClick,
} from './clicks.ts'

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
const clicksAround = (
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
const countClick = (
  accountId: string,
  click: ClickFact,
  count: 1 | -1,
  { figures }: Pick<JudgingState, 'figures'>,
): void => {
  for (const figure of figuresOfClick(click)) figures.add(accountId, { ...figure, count })
}

type Life = NonNullable<ClickCircumstances['life']>
type Unjudged = Omit<ClickFact, 'verdict' | 'reasons'>

/** The burst that the click is part of. `near`: its group's clicks around it, including itself. */
function burstOf(fact: Unjudged, near: readonly Unjudged[], { clickRules }: Verdicts): BurstKind | null {
  if (!leadTo(clickRules.burst.destinationsMin, near)) return null
  const around = near.map((other) => ({
    at: other.receivedAt,
    url: other.url,
    isOwn: isSameVisitor(fact, other),
  }))
  return burstAround(fact.receivedAt, around, clickRules.burst)
}

/** Judges a click by everything known so far. */
const judgementOf = (
  click: Click,
  { lifeAt, burst }: { lifeAt: number | null; burst: BurstKind | null },
  verdicts: Verdicts,
): Judgement =>
  verdicts.click(click.evidence, {
    secondsAfterSending: (click.receivedAt - click.sentAt) / 1000,
    burst,
    life: lifeOf(click, lifeAt, verdicts.clickRules.lifelessPaths),
  })

function lifeOf(click: Click, lifeAt: number | null, lifelessPaths: string[]): Life {
  if (lifeAt !== null) return 'shown'
  return leadsToPage(click, lifelessPaths) ? 'missing' : 'not_expected'
}

/**
 * Whether a browser that follows the link loads a landing page: the link leads to the host that served it (views on the
 * preview host are not recorded), and not to an image or file.
 */
function leadsToPage({ url, source }: Click, lifelessPaths: string[]): boolean {
  const destination = URL.parse(url)
  if (destination === null || destination.hostname.replace(/\.$/, '') !== source.host) return false
  return !lifelessPaths.some((path) => destination.pathname.startsWith(path))
}
