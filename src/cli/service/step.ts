import { existsSync, rmSync } from 'node:fs'

/** One step of installing or uninstalling. */
export interface Step {
  /** The subject: `unit`, `data folder`. */
  what: string
  /** The path or name concerned. */
  subject: string
  isDone(): Promise<boolean> | boolean
  carryOut(): Promise<void> | void
}

/** `kept`: nothing to do. `due`: to be done, in a dry run. */
export type StepState = 'done' | 'kept' | 'due'

export interface StepResult {
  what: string
  subject: string
  state: StepState
}

/** Runs the pending steps in order and returns each outcome. */
export async function carryOut(steps: Step[], { dryRun }: { dryRun: boolean }): Promise<StepResult[]> {
  const results: StepResult[] = []
  for (const step of steps) {
    const { what, subject } = step
    const isDone = await step.isDone()
    if (!isDone && !dryRun) await step.carryOut()
    results.push({ what, subject, state: isDone ? 'kept' : dryRun ? 'due' : 'done' })
  }
  return results
}

/** Removes a file or folder. */
export function removal(what: string, path: string, andThen: () => void = () => {}): Step {
  return {
    what,
    subject: path,
    isDone: () => !existsSync(path),
    carryOut: () => {
      rmSync(path, { recursive: true, force: true })
      andThen()
    },
  }
}
