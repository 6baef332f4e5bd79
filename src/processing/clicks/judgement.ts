import type { Click } from '../../ledger/entry.ts'
import { type BurstKind, burstAround, leadTo } from '../../verdict/burst.ts'
import type { ClickCircumstances, Judgement } from '../../verdict/click-verdict.ts'
import type { Verdicts } from '../../verdict/verdicts.ts'
import { isSameVisitor } from './burst-group.ts'
import type { ClickFact } from './click-fact.ts'

type Life = NonNullable<ClickCircumstances['life']>
type Unjudged = Omit<ClickFact, 'verdict' | 'reasons'>

/** The burst that the click is part of. `near`: its group's clicks around it, including itself. */
export function burstOf(fact: Unjudged, near: readonly Unjudged[], { clickRules }: Verdicts): BurstKind | null {
  if (!leadTo(clickRules.burst.destinationsMin, near)) return null
  const around = near.map((other) => ({
    at: other.receivedAt,
    url: other.url,
    isOwn: isSameVisitor(fact, other),
  }))
  return burstAround(fact.receivedAt, around, clickRules.burst)
}

/** Judges a click by everything known so far. */
export const judgementOf = (
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
