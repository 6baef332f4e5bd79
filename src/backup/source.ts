import type { StoredLedgerRow } from './format/increment-lines.ts'
import type { Spool } from './spool.ts'

/** What a scan remembers of the state's tables: a hash of each range of row numbers. Only for the next scan. */
export type StateMemory = ReadonlyMap<string, ReadonlyMap<number, bigint>>

/** What has changed in the state since the scan that left the memory. */
export interface StateChanges {
  /** Lines of an increment. */
  lines: Spool
  /** For the next scan. */
  memory: StateMemory
}

/** The box as it is at one moment. */
export interface Sight {
  /** The last position of the ledger. */
  to: number
  /** Up to which position it is processed. */
  processed: number
  /** Rises with every change to accounts and what they publish. */
  revision: number
  /** `null`: the state was not looked at. */
  state: StateChanges | null
}

/** A closed, verified copy of the database. */
export interface CopiedDatabase extends Pick<Sight, 'to' | 'processed'> {
  file: string
  bytes: number
  /** Hashes of all published contents that it names, in ascending order. */
  hashes(): Iterable<string>
  erasures(): Iterable<StoredLedgerRow[]>
  close(): void
}

/** The box as backups read it. Reading never waits for writers, nor they for it. */
export interface BackupSource {
  /** The box's own id, which is in its database and so in its backups. Made when it is first asked for. */
  boxId(): string
  /** Migrations of the database. */
  readonly schema: number
  /** Another number whenever anything in the database has changed. */
  version(): number
  /**
   * @param since the memory of the last scan; `null`: all of the state; `skip`: none of it
   * @throws when the database cannot be read
   */
  look(since: StateMemory | null | 'skip'): Sight
  /** The ledger's rows behind `from` up to `to`, page by page. What was removed since is left out. */
  entries(from: number, to: number): Iterable<StoredLedgerRow[]>
  hasErasures(from: number, to: number): boolean
  /** Hashes of the published contents that the box names now, in ascending order. */
  hashes(): Iterable<string>
  /** Copies the database to a file that is not there yet, and checks the copy, without blocking this thread. */
  copyTo(file: string): Promise<CopiedDatabase>
}
