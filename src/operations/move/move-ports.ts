import type { ErasureEntry } from '../../ledger/decision.ts'
import type { DatabaseCopies } from '../backup/backup-ports.ts'
import type { BackupReading, RestoredDatabases, RestoreFolders } from '../backup/restore-ports.ts'

/** An unpacked and accepted file with one account of another box, beside the opened box. */
export interface AccountFile {
  account: { id: string; handle: string }
  /** Whether the box has this very account: by its id, not by its handle. */
  isHere: boolean
  /** What was erased of the account here, when it was on this box before. */
  erasuresHere(): ErasureEntry[]
  /**
   * Stores the whole account, which stays invisible, in steps that hold the write lock for at most 20 ms. A kill leaves what the next
   * `stage` or the next publication deletes. @throws OperatorError when its handle or a domain is taken
   */
  stage(): Promise<{ records: number }>
  /** Makes what was staged visible, once processing has passed it over; `false`: it has not yet. @throws OperatorError as `stage` does */
  show(): boolean
  /** Deletes what was staged. */
  discard(): Promise<void>
  /** Adds records that the account does not have here and that were not erased here. Answers what the file tells of erasures. */
  addLater(): Promise<{ records: number; erasures: ErasureEntry[] }>
  close(): void
}

export interface MovingPorts {
  dataDir: string
  folders: Pick<RestoreFolders, 'open' | 'writeDatabase' | 'writeSealKey' | 'removeUnfinished'>
  archive: BackupReading
  databases: Pick<RestoredDatabases, 'accept' | 'erasing'>
  /** Copies one account. @param since only its records received since, epoch milliseconds; `null`: all of it */
  copiesOf(accountId: string, since: number | null): DatabaseCopies
  /** @param folder of the accepted database. @throws OperatorError when it holds no account, or several */
  arrival(folder: string): AccountFile
}
