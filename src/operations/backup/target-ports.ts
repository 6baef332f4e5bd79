import type { BackupSource } from '../../backup/source.ts'
import type { BackupTarget } from '../../backup/target/backup-target.ts'
import type { TargetStates } from '../../backup/target-state.ts'

/** A configured target. */
export interface OpenedTarget {
  target: BackupTarget
  /** Makes the place of a target that is used for the first time. */
  create: () => Promise<void>
}

/** What backups to targets are made with. */
export interface TargetPorts {
  source: BackupSource
  states: TargetStates
  /** A file for a copy of the database, which goes with `remove`. */
  scratch: () => { file: string; remove(): void }
  close(): void
}
