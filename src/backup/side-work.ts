import type { BackupWork, TargetReport } from './target-report.ts'

/** Runs bases, contents, deletions and checks beside increments, one at a time, because they take long. */
export class SideWork {
  private running: Promise<void> | null = null

  constructor(
    private readonly report: TargetReport,
    private readonly signal: AbortSignal,
    /** Called when a piece of work has failed. */
    private readonly onFailure: () => void,
  ) {}

  /** Starts the work, unless other work is under way. */
  begin(work: BackupWork, run: (signal: AbortSignal) => Promise<void>): void {
    if (this.running !== null) return
    this.running = run(this.signal)
      .then(() => this.report.succeeded(work))
      .catch((error) => {
        this.onFailure()
        if (!this.signal.aborted) this.report.failed(work, error)
      })
      .finally(() => {
        this.running = null
      })
  }

  /** Resolves when no work is under way. */
  async settle(): Promise<void> {
    await this.running
  }
}
