import { assetsFolder } from '../asset/stored-name.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { breather, calmShare } from './breather.ts'
import type { ObjectFault } from './format/bundle-header.ts'
import { checkTarget } from './restore/verify.ts'
import type { BackupTarget } from './target/backup-target.ts'
import type { TargetReport } from './target-report.ts'

/** How often the objects of the latest moment are read back, and how soon again after a failure. */
const verifyEveryMs = 7 * 86_400_000
const verifyAgainMs = 3_600_000

interface Parts {
  target: BackupTarget
  clock: Clock
  report: TargetReport
  log: Log
  /** Sends the published contents that the target lacks. */
  sendMissing: () => Promise<void>
  /** Names below `assets/` of what the box publishes now and the target has. */
  contents: () => Promise<readonly string[]>
  /** Puts an object below `assets/` again, and answers whether the box has sound bytes for it. */
  replace: (name: string) => Promise<boolean>
}

/** Reads back once a week what a target would restore, and sends again what is missing or damaged. */
export class WeeklyCheck {
  /** Whether something is damaged that only a new base makes good. */
  wantsBase = false
  private notBefore = 0

  constructor(private readonly parts: Parts) {}

  isDue(now: number): boolean {
    return now >= this.notBefore && now - (this.parts.report.verifiedAt ?? 0) >= verifyEveryMs
  }

  /** A new base is a new latest moment, to be looked at soon if the one before was damaged. */
  baseMade(): void {
    if (this.wantsBase) this.notBefore = 0
    this.wantsBase = false
  }

  /** @throws ObjectFault of the first object that stays missing or damaged, TargetFault, or the signal's reason */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, contents, report, sendMissing, target } = this.parts
    const now = clock.now()
    this.notBefore = now + verifyAgainMs
    await sendMissing()
    const faults: ObjectFault[] = []
    const onFault = (fault: ObjectFault): void => void faults.push(fault)
    await checkTarget(target, {
      scope: 'latest',
      contents: await contents(),
      onFault,
      breathe: breather(clock, calmShare),
      signal,
    })
    const [first] = await this.healed(faults)
    if (first !== undefined) throw first
    report.succeeded('verification', { verifiedAt: now })
  }

  /** @returns the faults that are left */
  private async healed(faults: readonly ObjectFault[]): Promise<ObjectFault[]> {
    const { log, replace, target } = this.parts
    const left: ObjectFault[] = []
    for (const fault of faults) {
      const isContent = fault.object.startsWith(assetsFolder)
      if (!isContent) this.wantsBase = true
      if (!isContent || !(await replace(fault.object))) left.push(fault)
    }
    const contents = faults.length - left.length
    if (contents > 0) log.warn('Damaged contents at the target were sent again.', { target: target.url, contents })
    return left
  }
}
