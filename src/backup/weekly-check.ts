import type { Clock } from '../lib/clock.ts'
import { breather } from './breather.ts'
import type { ObjectFault } from './format/bundle-header.ts'
import { checkTarget } from './restore/verify.ts'
import type { BackupTarget } from './target/backup-target.ts'
import type { TargetReport } from './target-report.ts'

/** How often what the latest moment needs is read back, and how soon again after a failure. */
const verifyEveryMs = 7 * 86_400_000
const verifyAgainMs = 3_600_000

interface Parts {
  target: BackupTarget
  clock: Clock
  report: TargetReport
}

/** Reads back once a week what a target would restore. */
export class WeeklyCheck {
  private notBefore = 0

  constructor(private readonly parts: Parts) {}

  isDue(now: number): boolean {
    return now >= this.notBefore && now - (this.parts.report.verifiedAt ?? 0) >= verifyEveryMs
  }

  /** @throws ObjectFault of the first object that is missing or damaged, TargetFault, or the signal's reason */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, report, target } = this.parts
    const now = clock.now()
    this.notBefore = now + verifyAgainMs
    const faults: ObjectFault[] = []
    const onFault = (fault: ObjectFault): void => void faults.push(fault)
    await checkTarget(target, { scope: 'latest', onFault, breathe: breather(clock), signal })
    const [first] = faults
    if (first !== undefined) throw first
    report.succeeded('verification', { verifiedAt: now })
  }
}
