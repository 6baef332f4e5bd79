import type { ClickFact } from '../clicks/click-fact.ts'
import type { Figure } from '../figures/figures.ts'
import { figuresTakenBack } from '../figures/hit-bits.ts'
import { goalFigures } from '../goals/goal-figures.ts'
import type { GoalEntry } from '../goals/goals.ts'
import type { SubmissionFact } from '../submissions/submission-fact.ts'
import { leadFigures } from '../submissions/submission-origin.ts'

/** What an entry alone added to the figures, as it was counted; `null`: nothing of the kind. */
export interface CountedEntry {
  /** `counted`: the bits of hit-bits.ts; `slug`: the landing page that a view was of. */
  hit: { day: number; counted: number; slug: string | null } | null
  click: Pick<ClickFact, 'day' | 'message' | 'verdict'> | null
  goals: Pick<GoalEntry, 'day' | 'targets' | 'counted'> | null
  submission: (Pick<SubmissionFact, 'counted'> & { formId: string }) | null
}

/** The figures that the entry added one to, and that its erasure takes one from. */
export const figuresOfEntry = ({ hit, click, goals, submission }: CountedEntry): Figure[] => [
  ...(hit === null ? [] : figuresTakenBack(hit.counted, hit.slug).map((figure) => ({ ...figure, day: hit.day }))),
  ...(click === null ? [] : [{ day: click.day, measure: `click_${click.verdict}` as const, name: click.message }]),
  ...(goals === null ? [] : goalFigures(goals).map((figure) => ({ ...figure, day: goals.day }))),
  ...(submission === null ? [] : submissionFigures(submission)),
]

/** A lead counts by form and by source, a likely duplicate by form, a quarantined submission nowhere. */
function submissionFigures({ formId: name, counted }: NonNullable<CountedEntry['submission']>): Figure[] {
  if (counted === null) return []
  const { day, lead } = counted
  if (lead === null) return [{ day, measure: 'duplicate', name }]
  return [{ day, measure: 'lead', name }, ...leadFigures(lead).map((figure) => ({ ...figure, day }))]
}
