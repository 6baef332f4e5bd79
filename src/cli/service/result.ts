import { toJson } from '../output/json.ts'
import { labelledLines } from '../output/labelled.ts'
import type { ResultStream } from '../output/streams.ts'
import type { StepResult, StepState } from './step.ts'

export interface ServiceOutcome {
  /** The folder that was written to. */
  root: string
  steps: StepResult[]
  /** Further remarks and next steps. */
  notes: string[]
}

export const isChanged = (steps: StepResult[]): boolean => steps.some(({ state }) => state !== 'kept')

/** Prints each step with its outcome. */
export async function printOutcome(
  { root, steps, notes }: ServiceOutcome,
  { json, words, out }: { json: boolean; words: Record<StepState, string>; out: ResultStream },
): Promise<void> {
  const changed = isChanged(steps)
  if (json) return out.write(toJson({ root, changed, steps, notes }))
  const lines = labelledLines(
    steps.map(({ what, subject, state }) => [what, `${subject}: ${words[state]}`]),
    out.columns,
  )
  const sentences = changed ? notes : ['Nothing had to be changed.', ...notes]
  await out.write(lines + sentences.map((sentence) => `${sentence}\n`).join(''))
}
