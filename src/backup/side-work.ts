import type { BackupWork, TargetReport } from './target-report.ts'

/** Bases, contents, deletions and checks take long, so they go beside increments, one at a time. */
export class SideWork {
  private running: Promise<void> | null = null

  constructor(
    private readonly report: TargetReport,
    private readonly signal: AbortSignal,
    /** Called when one has failed. */
    private readonly onFailure: () => void,
  ) {}

  /** Begins it, unless something is under way. */
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

  /** Resolves when nothing is under way. */
  async settle(): Promise<void> {
    await this.running
  }
}
