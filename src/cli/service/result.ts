import type { CommandResult } from '../command.ts'
import { type Labelled, labelledLines } from '../output/labelled.ts'
import type { StepResult, StepState } from './step.ts'

export interface ServiceOutcome {
  /** The folder that was written to. */
  root: string
  steps: StepResult[]
  /** Further remarks and next steps. */
  notes: string[]
}

export const isChanged = (steps: StepResult[]): boolean => steps.some(({ state }) => state !== 'kept')

/** Each step with its outcome, then the notes. */
export function outcomeResult({ root, steps, notes }: ServiceOutcome, words: Record<StepState, string>): CommandResult {
  const changed = isChanged(steps)
  const lines = steps.map(({ what, subject, state }): Labelled => [what, `${subject}: ${words[state]}`])
  const sentences = changed ? notes : ['Nothing had to be changed.', ...notes]
  return {
    json: { root, changed, steps, notes },
    text: ({ columns }) => labelledLines(lines, columns) + sentences.map((sentence) => `${sentence}\n`).join(''),
  }
}
