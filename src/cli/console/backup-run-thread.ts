import type { LoadedConfig } from '../../config/load.ts'
import type { BackupRun, EndedBackup } from '../../console/backup-run.ts'
import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { askThread } from '../../lib/thread/one-answer.ts'
import { workerFile } from '../../lib/thread/worker-file.ts'
import type { SentBases } from '../../operations/backup/back-up-chosen.ts'

/** The first and only message to the thread. */
export interface ToBackupRun {
  loaded: LoadedConfig
  to: readonly string[]
}

interface BackupRunParts {
  loaded: LoadedConfig
  clock: Pick<Clock, 'now'>
  /** Called when a backup begins and when it ends. */
  onWork: (isAtWork: boolean) => void
}

/** A backup of a large box takes minutes: each runs in a thread of its own, which ends with it. */
export class BackupRunThread implements BackupRun {
  private underWay = false
  private ended: EndedBackup | null = null

  constructor(private readonly parts: BackupRunParts) {}

  async run(to: readonly string[]): Promise<SentBases> {
    if (this.underWay) throw new OperatorError('A backup is being made already. Try again when it has ended.')
    this.work(true)
    try {
      const sent = await this.sent(to)
      this.ended = { at: this.parts.clock.now(), faults: sent.faults }
      return sent
    } catch (error) {
      const why = error instanceof OperatorError ? error.message : 'It failed for an internal reason; the log has more.'
      this.ended = { at: this.parts.clock.now(), faults: [why] }
      throw error
    } finally {
      this.work(false)
    }
  }

  isUnderWay(): boolean {
    return this.underWay
  }

  latest(): EndedBackup | null {
    return this.ended
  }

  private work(isAtWork: boolean): void {
    this.underWay = isAtWork
    this.parts.onWork(isAtWork)
  }

  private sent(to: readonly string[]): Promise<SentBases> {
    const file = workerFile('cli/console/backup-run-worker.ts')
    return askThread<ToBackupRun, SentBases>(file, { loaded: this.parts.loaded, to }, { purpose: 'backs up' })
  }
}
