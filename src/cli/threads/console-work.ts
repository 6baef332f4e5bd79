import type { LoadedConfig } from '../../config/load.ts'
import type { BackupRun, EndedBackup, Examination, Examined } from '../../console/console-box.ts'
import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { SentBases } from '../../operations/backup/back-up-now.ts'
import type { VerifiedTargets } from '../../operations/backup/restore-target.ts'
import type { CheckResult } from '../../operations/check-result.ts'
import { askThread } from './one-answer.ts'
import { workerFile } from './worker-file.ts'

export interface ToExaminer {
  loaded: LoadedConfig
  deep: boolean
}

/** A check of millions of records takes minutes: each runs in a thread of its own, which ends with it. */
export class ExaminationThread implements Examination {
  private readonly underWay = new Map<boolean, Promise<Examined>>()
  private last: Examined | null = null

  constructor(
    private readonly loaded: LoadedConfig,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  run(deep: boolean): Promise<Examined> {
    const running = this.underWay.get(deep)
    if (running !== undefined) return running
    const at = this.clock.now()
    const begun = this.examine(deep)
      .then((checks) => {
        this.last = { at, checks }
        return this.last
      })
      .finally(() => this.underWay.delete(deep))
    this.underWay.set(deep, begun)
    return begun
  }

  isUnderWay(): boolean {
    return this.underWay.size > 0
  }

  latest(): Examined | null {
    return this.last
  }

  private examine(deep: boolean): Promise<CheckResult[]> {
    const file = workerFile('examination')
    return askThread<ToExaminer, CheckResult[]>(file, { loaded: this.loaded, deep }, { purpose: 'examines the box' })
  }
}

export interface ToBackupRun {
  work: 'make' | 'verify'
  loaded: LoadedConfig
  to: readonly string[]
}

const purposes = { make: 'backs up', verify: 'reads backups back' }

const busy = {
  make: 'A backup is being made already. Try again when it has ended.',
  verify: 'Backups are being read back. Try again when that has ended.',
}

interface BackupRunParts {
  loaded: LoadedConfig
  clock: Pick<Clock, 'now'>
  onWork: (isAtWork: boolean) => void
}

/** A backup of a large box takes minutes, and so does reading one back: each runs in a thread of its own, which ends with it. */
export class BackupRunThread implements BackupRun {
  private underWay: ToBackupRun['work'] | null = null
  private ended: EndedBackup | null = null

  constructor(private readonly parts: BackupRunParts) {}

  async run(to: readonly string[]): Promise<SentBases> {
    this.refuseBusy()
    try {
      const sent = await this.inThread<SentBases>('make', to)
      this.ended = { at: this.parts.clock.now(), faults: sent.faults }
      return sent
    } catch (error) {
      const why = error instanceof OperatorError ? error.message : 'It failed for an internal reason; the log has more.'
      this.ended = { at: this.parts.clock.now(), faults: [why] }
      throw error
    }
  }

  async verify(to: readonly string[]): Promise<VerifiedTargets> {
    this.refuseBusy()
    return this.inThread('verify', to)
  }

  isUnderWay(): boolean {
    return this.underWay === 'make'
  }

  latest(): EndedBackup | null {
    return this.ended
  }

  private refuseBusy(): void {
    if (this.underWay !== null) throw new OperatorError(busy[this.underWay])
  }

  private async inThread<Answer>(work: ToBackupRun['work'], to: readonly string[]): Promise<Answer> {
    const { loaded, onWork } = this.parts
    this.underWay = work
    onWork(true)
    try {
      const file = workerFile('backup-run')
      return await askThread<ToBackupRun, Answer>(file, { work, loaded, to }, { purpose: purposes[work] })
    } finally {
      this.underWay = null
      onWork(false)
    }
  }
}
