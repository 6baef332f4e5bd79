import { existsSync, rmSync } from 'node:fs'

/** One thing that installing or uninstalling sees to. */
export interface Step {
  /** What it is about: `unit`, `data folder`. */
  what: string
  /** The path, or the name, that it is about. */
  subject: string
  isDone(): Promise<boolean> | boolean
  carryOut(): Promise<void> | void
}

/** `kept`: it was so already. `due`: it would be done, were this no trial. */
export type StepState = 'done' | 'kept' | 'due'

export interface StepResult {
  what: string
  subject: string
  state: StepState
}

/** Carries out what is not done yet, in order, and says of each what became of it. */
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

/** A file or folder that is to be gone. */
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
