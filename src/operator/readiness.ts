const askedEveryMs = 1000

/**
 * Whether a record captured now would be stored. It probes with a commit of its own, which also works on a box without
 * visitors. It costs nothing while nobody asks and all is well. After a failure it keeps probing until a commit succeeds, so
 * that monitoring never waits for a hanging disk.
 */
export class Readiness {
  private asked: Promise<string | null> | null = null
  private lastFault: string | null = null
  private isStopping = false

  /** @param probeCommit makes an empty commit, or rejects with the reason, within 5 s */
  constructor(private readonly probeCommit: () => Promise<void>) {}

  /** Why records cannot be stored, in one sentence; `null`: they can. */
  async fault(): Promise<string | null> {
    if (this.isStopping) return 'The service is stopping.'
    if (this.lastFault !== null) return this.lastFault
    this.asked ??= this.ask()
    return this.asked
  }

  /** Reports from now on that the service is stopping, and ends the probes. */
  stopping(): void {
    this.isStopping = true
  }

  private async ask(): Promise<string | null> {
    this.lastFault = await this.probeCommit().then(
      () => null,
      (error: unknown) => `Nothing can be stored: ${error instanceof Error ? error.message : 'the commit failed'}.`,
    )
    setTimeout(() => {
      this.asked = this.lastFault === null || this.isStopping ? null : this.ask()
    }, askedEveryMs).unref()
    return this.lastFault
  }
}
