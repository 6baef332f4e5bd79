import type { StoredLedgerRow } from './format/increment-lines.ts'

/** A scan's memory of the state's tables for the next scan: a hash of each range of row numbers. */
export type StateMemory = ReadonlyMap<string, ReadonlyMap<number, bigint>>

/** The box at one moment. */
export interface Sight {
  /** The last position of the ledger. */
  to: number
  /** The position up to which the ledger is processed. */
  processed: number
  /** Increases with every change to accounts and what they publish. */
  revision: number
  /** Increases with every submission that has files of its visitor. */
  files: number
  /** Changes as lines of an increment, and the memory for the next scan; `null`: the state was not compared. */
  state: { lines: Spool; memory: StateMemory } | null
}

/** A closed, verified copy of the database. */
export interface CopiedDatabase extends Pick<Sight, 'to' | 'processed'> {
  file: string
  /** Opens the copy's sealed secrets; `null`: it has none. */
  sealKey: Uint8Array | null
  bytes: number
  hashes(): Iterable<string>
  erasures(): Iterable<StoredLedgerRow[]>
  close(): void
}

/** The box as backups read it. Reading never waits for writers, nor they for it. */
export interface BackupSource {
  /** The box's id. It is in the database and so in the backups, and is made when it is first needed. */
  boxId(): string
  /** Migrations of the database. */
  readonly schema: number
  /** Differs whenever anything in the database has changed. */
  version(): number
  /**
   * @param since the memory of the last scan; `null`: all of the state; `skip`: none of it
   * @throws when the database cannot be read
   */
  look(since: StateMemory | null | 'skip'): Sight
  /** The ledger's rows after `from` up to `to`, page by page, without rows that were removed since. */
  entries(from: number, to: number): Iterable<StoredLedgerRow[]>
  hasErasures(from: number, to: number): boolean
  /** Hashes of the contents that the box names now, in ascending order. */
  hashes(): Iterable<string>
  /** Of them, those of visitors' files that came after `Sight.files` was so. */
  fileHashes(after: number): Iterable<string>
  /**
   * Copies the database to a new file and checks the copy, without blocking this thread.
   *
   * @throws the signal's reason as soon as it aborts, even if the copy cannot be interrupted
   */
  copyTo(file: string, signal: AbortSignal): Promise<CopiedDatabase>
}

const frameBytesMin = 1024 * 1024

/** Text kept in memory, compressed to about a tenth of its size, until it is read. */
export class Spool {
  private readonly frames: Uint8Array[] = []
  private waiting: string[] = []
  private waitingLength = 0
  isEmpty = true

  add(text: string): void {
    this.isEmpty = false
    this.waiting.push(text)
    this.waitingLength += text.length
    if (this.waitingLength >= frameBytesMin) this.press()
  }

  *read(): Generator<Uint8Array> {
    this.press()
    for (const frame of this.frames) yield Bun.zstdDecompressSync(frame)
  }

  private press(): void {
    if (this.waiting.length === 0) return
    this.frames.push(Bun.zstdCompressSync(Buffer.from(this.waiting.join('')), { level: 1 }))
    this.waiting = []
    this.waitingLength = 0
  }
}
