import { type CountedSubmission, figuresOfLead, isSameLead, leadNames } from '../figures/measures.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { AmendableSubmission } from './later-submissions.ts'
import type { SubmissionFact, SubmissionOrigin } from './submission-fact.ts'
import { countedNames } from './submission-origin.ts'

type State = Pick<ProcessingState, 'submissions' | 'figures'>

/** Gives a submission another origin, and moves its lead to that source. */
export function changeOrigin(
  accountId: string,
  submission: AmendableSubmission,
  { origin, state }: { origin: SubmissionOrigin; state: State },
): void {
  const before = submission.fact.counted
  const counted = recounted(before, { accountId, origin, state })
  if (before !== null && counted !== null) moveLead(accountId, [before, counted], state)
  state.submissions.later.amend(submission, { ...origin, counted })
}

/** Names a lead anew that counts as one of the others: an erasure may have left a name of its day free. */
export function nameAgain(accountId: string, stored: OriginatedSubmission, state: State): void {
  const submission = state.submissions.later.meet(stored)
  const { counted, ...origin } = submission.fact
  const lead = recounted(counted, { accountId, origin, state })?.lead ?? null
  if (lead !== null && counted?.lead && !isSameLead(lead, counted.lead))
    changeOrigin(accountId, submission, { origin, state })
}

/** A likely duplicate counts for no source. */
function recounted(
  counted: CountedSubmission | null,
  { accountId, origin, state }: { accountId: string; origin: SubmissionOrigin; state: State },
): CountedSubmission | null {
  if (counted === null || counted.lead === null) return counted
  return { ...counted, lead: countedNames(origin, { accountId, day: counted.day }, state) }
}

function moveLead(
  accountId: string,
  [before, after]: [CountedSubmission, CountedSubmission],
  { figures }: State,
): void {
  if (before.lead === null || after.lead === null || isSameLead(before.lead, after.lead)) return
  for (const figure of figuresOfLead(before)) figures.add(accountId, { ...figure, count: -1 })
  for (const figure of figuresOfLead(after)) figures.add(accountId, { ...figure, count: 1 })
}

/** A stored submission with all of its origin. */
export interface OriginatedSubmission extends AmendableSubmission {
  fact: SubmissionOrigin & Pick<SubmissionFact, 'counted'>
}

/**
 * The same for a submission whose origin loses or regains what erased records had a part in. As long as its last touch names
 * the same source, it stays counted as it was: names may be limited otherwise today.
 */
export function correctOrigin(
  accountId: string,
  stored: OriginatedSubmission,
  { changed, state }: { changed: (before: SubmissionOrigin) => SubmissionOrigin; state: State },
): void {
  const submission = state.submissions.later.meet(stored)
  const { counted, ...before } = submission.fact
  const origin = changed(before)
  // Of thousands behind an erased record, it told few where they came from.
  if (origin.first === before.first && origin.last === before.last && origin.page === before.page) return
  if (isSameLead(leadNames(origin), leadNames(before)))
    state.submissions.later.amend(submission, { ...origin, counted })
  else changeOrigin(accountId, submission, { origin, state })
}
