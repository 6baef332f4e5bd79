/** How long an authority is left alone after each failure in a row: it is away for everybody, so that no name need ask. */
const pauseSeconds = [30, 60, 120, 300, 600]

export interface AuthorityPause {
  /** What happened, as a sentence. */
  reason: string
  /** Epoch milliseconds. */
  until: number
}

/** Authorities that cannot be asked, by the URL of their directory. One of the names that wait then asks again. */
export class AuthorityPauses {
  private readonly paused = new Map<string, AuthorityPause & { failures: number; untilMs: number }>()

  /** Notes a failure that has nothing to do with the name. @param nowMs monotonic */
  begin(
    directory: string,
    reason: string,
    { now, nowMs }: { now: number; nowMs: number },
  ): AuthorityPause & { isNew: boolean } {
    const before = this.paused.get(directory)
    // Several orders that were under way fail together.
    if (before !== undefined && nowMs < before.untilMs) return { ...before, isNew: false }
    const failures = (before?.failures ?? 0) + 1
    const lengthMs = (pauseSeconds[failures - 1] ?? pauseSeconds.at(-1) ?? 0) * 1000
    const pause = { reason, until: now + lengthMs, untilMs: nowMs + lengthMs, failures }
    this.paused.set(directory, pause)
    return { ...pause, isNew: before?.reason !== reason }
  }

  /** `null`: it may be asked. */
  of(directory: string, nowMs: number): AuthorityPause | null {
    const pause = this.paused.get(directory)
    return pause !== undefined && nowMs < pause.untilMs ? pause : null
  }

  /** It has answered; whether it had been paused. */
  end(directory: string): boolean {
    return this.paused.delete(directory)
  }
}
