import { readFileSync, readlinkSync } from 'node:fs'
import { entryMsMax } from '../processing/fault-reason.ts'
import type { WorkedEntries, WorkMark } from '../steps/slow-entries.ts'

/** Of one tick of the clock in which Linux counts processor time (USER_HZ), on all machines that we build for. */
const tickMs = 10

/** Watches from the serving thread how much processor time the writing thread spends on an entry. */
export class SlowWatch {
  private counter = 0
  private beganMs: number | null = null

  constructor(
    private readonly mark: WorkMark,
    private readonly processorMs: (thread: number) => number | null = threadProcessorMs,
  ) {}

  /**
   * To be called every few milliseconds. Returns the entries that have been under way for too long; `null`: none, or it
   * cannot be known.
   */
  look(): WorkedEntries | null {
    const { counter, underWay, thread } = this.mark
    if (underWay === null || thread === 0) return null
    if (counter !== this.counter) {
      this.counter = counter
      this.beganMs = this.processorMs(thread)
      return null
    }
    const nowMs = this.processorMs(thread)
    return nowMs !== null && this.beganMs !== null && nowMs - this.beganMs >= entryMsMax ? underWay : null
  }

  /** Whether the thread is still at what the last look met. */
  isStuck(): boolean {
    return this.mark.counter === this.counter
  }
}

/** The calling thread's number; 0: the system does not tell. */
export function threadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return 0
  }
}

/** Processor time of a thread of this process (proc_pid_stat(5)); `null`: it has ended. */
function threadProcessorMs(thread: number): number | null {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    // The thread's name stands in brackets and may hold anything. Behind it, user and system time are 12th and 13th.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return (user + system) * tickMs
  } catch {
    return null
  }
}
