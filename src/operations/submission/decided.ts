import { instantOrNull } from '../../lib/instant.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Undecided } from '../../processing/processing.ts'

interface Decided<Outcome> {
  outcome: Outcome
  at: number | null
}

/** What was decided about a submission, and when. @throws OperatorError if nothing was */
export function decided<Outcome extends string>(
  decision: Decided<Outcome> | Undecided,
  { id, act }: { id: string; act: 'refuse' | 'release' },
): { outcome: Outcome; at: string | null } {
  if ('at' in decision) return { ...decision, at: instantOrNull(decision.at) }
  const why: Record<Undecided['outcome'], string> = {
    test_page: `was sent by the hosted test page, whose submissions never count: there is nothing to ${act}.`,
    unprocessed: 'has not been processed yet: try again in a moment. If it fails again, run `capture doctor`.',
    unknown: 'was removed just now.',
  }
  throw new OperatorError(`${id} ${why[decision.outcome]}`)
}
