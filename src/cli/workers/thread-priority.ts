import { constants, setPriority } from 'node:os'

/** Lets everything else on the machine go before this thread: Linux has a priority for each (sched(7)). */
export const takeLowPriority = (): void => takePriority(constants.priority.PRIORITY_LOW)

/** Lets captures go before this thread, and keeps a share of a busy machine: a third of that of a usual thread. */
export const takeModestPriority = (): void => takePriority(modest)

const modest = 5

function takePriority(priority: number): void {
  try {
    setPriority(0, priority)
  } catch {
    // Only a matter of speed.
  }
}
