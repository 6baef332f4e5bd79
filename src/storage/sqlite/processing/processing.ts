import type { Clock } from '../../../lib/clock.ts'
import type { Processing, ProcessingReport } from '../../../processing/processing.ts'
import type { Connection } from '../database/connection.ts'
import { readBacklog, readWaiting } from './backlog.ts'
import type { ProcessingSteps } from './step.ts'

/** How long steps take, and for how long others find the write lock free between them, in milliseconds. */
interface Pace {
  stepMs: number
  pauseMs: number
}

/** Commands may hold the lock for 20 ms: this leaves room for a slow disk, and one look in four finds the lock free. */
const alone: Pace = { stepMs: 10, pauseMs: 4 }
/** A server's captures wait for the lock too, and it processes by itself, so little is left to do. */
const besideServer: Pace = { stepMs: 2, pauseMs: 10 }

/** Processing by a command, which may run beside others and beside a server: whoever comes first. */
export class SqliteProcessing implements Processing {
  private steps: ProcessingSteps | null = null

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly isServed: () => boolean,
  ) {}

  async catchUp(msMax: number): Promise<number> {
    if (this.waiting() === 0) return 0
    const { stepMs, pauseMs } = this.isServed() ? besideServer : alone
    const steps = await this.prepared()
    // A busy machine may take seconds to load the steps: that is not the time for running them.
    const deadlineMs = this.clock.monotonicMs() + msMax
    while (this.clock.monotonicMs() < deadlineMs && steps.run(stepMs) === 'more') await Bun.sleep(pauseMs)
    return this.waiting()
  }

  /** Loaded and prepared on demand: for most commands nothing waits, since a server's thread has processed it. */
  private async prepared(): Promise<ProcessingSteps> {
    const { ProcessingSteps } = await import('./step.ts')
    this.steps ??= new ProcessingSteps(this.connection, this.clock)
    return this.steps
  }

  async state(): Promise<ProcessingReport> {
    return readBacklog(this.connection)
  }

  private waiting(): number {
    return readWaiting(this.connection).waiting
  }
}
