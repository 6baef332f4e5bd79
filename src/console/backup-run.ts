import type { SentBases } from '../operations/backup/back-up-now.ts'
import type { VerifiedTargets } from '../operations/backup/restore-target.ts'

export interface EndedBackup {
  at: number
  /** Why targets got nothing. */
  faults: readonly string[]
}

/**
 * Backs up, and reads backups back, beside the console, which answers meanwhile.
 *
 * Guarantees: one of these runs at a time; the console does not rest before its end.
 */
export interface BackupRun {
  /** @param to the targets @throws OperatorError when none got a base, or another backup is under way */
  run(to: readonly string[]): Promise<SentBases>
  /** Reads back what the targets hold. @throws OperatorError when a backup is under way */
  verify(to: readonly string[]): Promise<VerifiedTargets>
  isUnderWay(): boolean
  /** `null`: none has ended since the console started. */
  latest(): EndedBackup | null
}
