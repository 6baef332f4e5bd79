/** Pauses after consecutive failures. They apply to all names, because the authority is unreachable for all. */
const pauseSeconds = [30, 60, 120, 300, 600]

export interface AuthorityPause {
  /** What happened, as a sentence. */
  reason: string
  /** Epoch milliseconds. */
  until: number
}

interface Lasting extends AuthorityPause {
  /** Monotonic. */
  untilMs: number
}

/** Paused authorities by the URL of their directory. After a pause, one waiting name tries again. */
export class AuthorityPauses {
  private readonly paused = new Map<string, Lasting & { failures: number }>()
  /** Demanded of one account, whose names alone have used up a limit; by directory and account. */
  private readonly demanded = new Map<string, Lasting>()

  /** Records a failure that is not the name's fault. @param nowMs monotonic */
  begin(
    directory: string,
    reason: string,
    { now, nowMs }: { now: number; nowMs: number },
  ): AuthorityPause & { isNew: boolean } {
    const before = this.paused.get(directory)
    // Concurrent orders fail together: count them once.
    if (before !== undefined && nowMs < before.untilMs) return { ...before, isNew: false }
    const failures = (before?.failures ?? 0) + 1
    const lengthMs = (pauseSeconds[failures - 1] ?? pauseSeconds.at(-1) ?? 0) * 1000
    const pause = { reason, until: now + lengthMs, untilMs: nowMs + lengthMs, failures }
    this.paused.set(directory, pause)
    return { ...pause, isNew: before?.reason !== reason }
  }

  /** `null`: it may be asked. */
  of(directory: string, nowMs: number): AuthorityPause | null {
    return stillLasting(this.paused.get(directory), nowMs)
  }

  /** The authority demands a pause after an order of the account. @param nowMs monotonic */
  demand(
    { directory, accountId }: { directory: string; accountId: string },
    { reason, lengthMs }: { reason: string; lengthMs: number },
    { now, nowMs }: { now: number; nowMs: number },
  ): void {
    this.demanded.set(`${directory} ${accountId}`, { reason, until: now + lengthMs, untilMs: nowMs + lengthMs })
  }

  /** `null`: none is demanded of the account. */
  demandedOf({ directory, accountId }: { directory: string; accountId: string }, nowMs: number): AuthorityPause | null {
    return stillLasting(this.demanded.get(`${directory} ${accountId}`), nowMs)
  }

  /** Ends the pause. Returns whether there was one. */
  end(directory: string): boolean {
    return this.paused.delete(directory)
  }
}

const stillLasting = <P extends Lasting>(pause: P | undefined, nowMs: number): P | null =>
  pause !== undefined && nowMs < pause.untilMs ? pause : null
