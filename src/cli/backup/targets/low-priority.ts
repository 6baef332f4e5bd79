import { constants, setPriority } from 'node:os'

/** Lets everything else on the machine go before this thread: Linux has a priority for each (sched(7)). */
export function takeLowPriority(): void {
  try {
    setPriority(0, constants.priority.PRIORITY_LOW)
  } catch {
    // Only a matter of speed.
  }
}
