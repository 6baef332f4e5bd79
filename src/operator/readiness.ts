/** However often it is asked for, the disk is asked once in so long. */
const askedEveryMs = 1000

/**
 * Whether what is captured now would be stored. It asks by a commit of its own, so that a box without visitors finds out
 * too. While nobody wants to know and nothing is wrong it costs nothing; once something is, it asks by itself until it is
 * well again, so that nobody who watches has to wait for a disk that hangs.
 */
export class Readiness {
  private asked: Promise<string | null> | null = null
  private lastFault: string | null = null
  private isStopping = false

  /** @param probeCommit commits a change that changes nothing, or rejects with the reason, within 5 s */
  constructor(private readonly probeCommit: () => Promise<void>) {}

  /** Why nothing can be stored, in one sentence; `null`: it can. */
  async fault(): Promise<string | null> {
    if (this.isStopping) return 'The service is stopping.'
    if (this.lastFault !== null) return this.lastFault
    this.asked ??= this.ask()
    return this.asked
  }

  /** The service accepts no more requests, and the disk is asked no more. */
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
