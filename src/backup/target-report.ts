import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { faultWords } from './owner.ts'
import type { TargetState, TargetStates } from './target-state.ts'

/** The kinds of work that run side by side for one target. */
export type BackupWork = 'increments' | 'bases' | 'contents' | 'deletions' | 'verification'

interface ReportParts {
  url: string
  states: TargetStates
  clock: Pick<Clock, 'now'>
  log: Log
  onState: (state: TargetState) => void
}

/** Reports the state of a target: in its file, and in the log when it changes. */
export class TargetReport {
  private readonly faults = new Map<BackupWork, string>()
  private state: TargetState

  constructor(private readonly parts: ReportParts) {
    this.state = parts.states.read(parts.url)
    parts.onState(this.state)
  }

  /** Everything before this instant is at the target. */
  get safeAt(): number | null {
    return this.state.safeAt
  }

  /** When the objects of the latest moment were last found complete. */
  get verifiedAt(): number | null {
    return this.state.verifiedAt
  }

  /** Keeps the instant of what is about to be put. */
  writes(at: number): void {
    const { states, url } = this.parts
    states.change(url, ({ writtenAt }) => ({ writtenAt: Math.max(writtenAt, at) }))
  }

  succeeded(work: BackupWork, reached: Partial<Pick<TargetState, 'safeAt' | 'baseAt' | 'verifiedAt'>> = {}): void {
    if (this.faults.delete(work) && this.faults.size === 0)
      this.parts.log.info('Backups reach the target again.', { target: this.parts.url })
    this.tell(reached)
  }

  failed(work: BackupWork, error: unknown): void {
    const message = faultWords(error) ?? `could not be written: ${error instanceof Error ? error.message : 'a fault'}`
    if (this.faults.get(work) !== message) {
      const fields = { target: this.parts.url, work, reason: `The target ${message}.` }
      this.parts.log.warn('A backup failed; it is tried again.', fields)
    }
    this.faults.set(work, message)
    this.tell({})
  }

  private tell(reached: Partial<TargetState>): void {
    const { clock, onState, states, url } = this.parts
    const [message] = this.faults.values()
    const fault = message === undefined ? null : { message, since: this.state.fault?.since ?? clock.now() }
    const { safeAt } = this.state
    this.state = states.change(url, () => ({ safeAt, ...reached, fault }))
    onState(this.state)
  }
}
