import { OperatorError } from '../../lib/operator-error.ts'
import type { RestoreRights } from '../backup/backup-ports.ts'

/** What a new database lacks of one table. */
export interface MissingRows {
  table: string
  /** `null`: nothing tells how many. */
  rows: number | null
  /** Of records: receipt of the nearest ones that are left, epoch milliseconds; `null`: none. */
  between: { after: number | null; before: number | null }[]
  /** Of records: the first ids that are still known. */
  ids: string[]
}

export interface AccountWithoutSettings {
  /** Its handle. */
  account: string
  /** Whether it goes on by the `site.toml` of its kept folder. */
  fromKeptFolder: boolean
}

export interface RepairedDatabase {
  entries: number
  missing: MissingRows[]
  /** Accounts whose settings could not be read. They have others until their folders are applied again. */
  withoutSettings: AccountWithoutSettings[]
  /** Records that were taken over though they do not match their checksum. */
  changed: string[]
  /** Whether persons, figures and all else that is made of records was made anew, since some of it could not be read. */
  isDerivedAgain: boolean
}

export interface RepairedBox extends RepairedDatabase {
  folder: string
  missingFiles: string[]
}

export interface RepairPorts {
  /** Locks the folder against serving and publishing. @throws OperatorError that names the process that has it */
  lock(dataDir: string): { release(): void }
  /** Begins a new folder under a name of its own, for the owner of the old one. @throws OperatorError if `to` is taken */
  begin(dataDir: string, to: string): RepairPlace
  /** @throws OperatorError when not even the tables of the old database can be found */
  repairDatabase(dataDir: string, staged: string, keepsChanged: boolean): RepairedDatabase
  rights: RestoreRights
}

export interface RepairPlace {
  readonly staged: string
  /** Copies all files but the database; returns the names of those that cannot be read. */
  copyFiles(): Promise<string[]>
  finish(): Promise<void>
  discard(): void
}

/**
 * Writes what can be read of a data folder into a new one, which `serve` can start on. Changes nothing in the old one.
 *
 * @param keepsChanged whether to take over records that do not match their checksum, as they are now
 */
export async function repair(
  ports: RepairPorts,
  { dataDir, to, keepsChanged }: { dataDir: string; to: string; keepsChanged: boolean },
): Promise<RepairedBox> {
  const { rights } = ports
  const place = ports.begin(dataDir, to)
  try {
    rights.asOwner()
    const lock = ports.lock(dataDir)
    try {
      const missingFiles = await place.copyFiles()
      const repaired = ports.repairDatabase(dataDir, place.staged, keepsChanged)
      rights.asCaller()
      await place.finish()
      return { folder: to, missingFiles, ...repaired }
    } finally {
      lock.release()
    }
  } catch (error) {
    rights.asCaller()
    place.discard()
    throw error
  }
}

/** Nothing of it can be read. */
export const beyondRepair = (reason: string): OperatorError =>
  new OperatorError(
    `Nothing of the database can be read (${reason}). Restore the latest backup: capture restore FILE. Keep the folder that it moves aside.`,
  )

export const isWhole = ({ missing, missingFiles, withoutSettings }: RepairedBox): boolean =>
  missing.length + missingFiles.length + withoutSettings.length === 0
