import { NotAllowed } from '../lib/operator-error.ts'
import type { NewReceiver } from './new-receivers.ts'
import type { SitePlan } from './plan.ts'

/** What decides about visitors' data, not about what visitors see. */
type OnData = Pick<SitePlan, 'receivers' | 'shorterTerms'>

/** Why whoever lacks the right for it cannot publish this, and who can; `null`: nothing of it needs that right. */
export function needsAdmin({ receivers, shorterTerms }: OnData): string | null {
  const reasons = [
    receivers.length > 0
      ? `This sends what visitors enter somewhere new (${receivers.map(({ what }) => what).join('; ')}).`
      : null,
    shorterTerms.length > 0
      ? `This deletes records sooner: ${shorterTerms.map((name) => `retention.${name}`).join(', ')}.`
      : null,
  ].filter((reason) => reason !== null)
  if (reasons.length === 0) return null
  return `${reasons.join(' ')} That needs the scope admin beside publish: have an admin of the account or an owner publish it, or run \`capture apply\` on the box.`
}

/** Whoever publishes lacks the right to decide so about visitors' data. */
export class NeedsAdmin extends NotAllowed {
  constructor(
    why: string,
    readonly receivers: readonly NewReceiver[],
  ) {
    super(`${why} Nothing was changed.`)
  }
}
