import type { Click } from '../../ledger/entry.ts'
import { burstAround } from '../../verdict/burst.ts'
import type { ClickCircumstances, Judgement } from '../../verdict/click-verdict.ts'
import type { Verdicts } from '../../verdict/verdicts.ts'
import { isSameVisitor } from './burst-group.ts'
import type { ClickFact } from './click-state.ts'

type Life = NonNullable<ClickCircumstances['life']>
type Unjudged = Omit<ClickFact, 'verdict' | 'reasons'>

/** Judges a click with all that is known of it by now. `near`: its group's clicks around it, itself among them. */
export function judgementOf(
  click: Click,
  { fact, near }: { fact: Unjudged; near: readonly Unjudged[] },
  verdicts: Verdicts,
): Judgement {
  const { burst, lifelessPaths } = verdicts.clickRules
  const around = near.map((other) => ({
    at: other.receivedAt,
    url: other.url,
    isOwn: isSameVisitor(fact, other),
  }))
  return verdicts.click(click.evidence, {
    secondsAfterSending: (click.receivedAt - click.sentAt) / 1000,
    burst: burstAround(fact.receivedAt, around, burst),
    life: lifeOf(click, fact.lifeAt, lifelessPaths),
  })
}

function lifeOf(click: Click, lifeAt: number | null, lifelessPaths: string[]): Life {
  if (lifeAt !== null) return 'shown'
  return leadsToPage(click, lifelessPaths) ? 'missing' : 'not_expected'
}

/**
 * Whether a browser that follows the link loads a landing page: the link leads to the host that served it (nothing is
 * recorded of the preview host), and to no image or file.
 */
function leadsToPage({ url, source }: Click, lifelessPaths: string[]): boolean {
  const destination = URL.parse(url)
  if (destination === null || destination.hostname.replace(/\.$/, '') !== source.host) return false
  return !lifelessPaths.some((path) => destination.pathname.startsWith(path))
}
