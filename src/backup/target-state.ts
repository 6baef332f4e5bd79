import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { faultWords } from './target/backup-target.ts'

/** What a data folder stores about one of its targets, for the next process, `doctor` and the console. */
export interface TargetState {
  url: string
  /** The history that this folder writes at the target; `null`: none yet. */
  history: string | null
  /** Processes of this folder that may stand in the target's `owner`: the latest ones. */
  runs: string[]
  /** This folder has put no base and no increment of a later instant (epoch milliseconds). */
  writtenAt: number
  /** Everything before this instant (epoch milliseconds) is at the target; `null`: nothing is. */
  safeAt: number | null
  /** The moment of the latest base, epoch milliseconds. */
  baseAt: number | null
  /** When the objects of the latest moment were last found complete, epoch milliseconds; `null`: never yet. */
  verifiedAt: number | null
  /** Why the latest attempt failed, and since when every attempt has; `null`: it succeeded. */
  fault: { message: string; since: number } | null
}

/** Stores the states of targets, for all processes of the data folder: a service, its successor, and commands. */
export interface TargetStates {
  read(url: string): TargetState
  /** Changes what is stored by then; nobody else changes it meanwhile. @returns the new state */
  change(url: string, to: (stored: TargetState) => Partial<TargetState>): TargetState
  /** Does the work while no other such work for the target is under way. @throws when it must wait for too long */
  exclusively<T>(url: string, work: () => Promise<T>): Promise<T>
}

export const unknownTarget = (url: string): TargetState => ({
  url,
  history: null,
  runs: [],
  writtenAt: 0,
  safeAt: null,
  baseAt: null,
  verifiedAt: null,
  fault: null,
})

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
  state: Readonly<TargetState>

  constructor(private readonly parts: ReportParts) {
    this.state = parts.states.read(parts.url)
    parts.onState(this.state)
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
