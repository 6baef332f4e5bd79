import { readFileSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { TookTooLong, tookTooLong } from '../processing/fault-reason.ts'

/**
 * Leads processing past entries that took too long in an earlier thread or process. Where several were under way, they
 * are processed one by one, so that the one that takes long again is known. Where it is known, it is set aside.
 */
export class SlowEntryGuard {
  private readonly mark: SlowMark
  private slow: SlowEntries | null

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {
    this.mark = new SlowMark(connection.raw.filename)
    this.slow = this.mark.read()
  }

  /** Entries behind the cursor up to this one are processed one by one; 0: none are. */
  get singlyTo(): number {
    return this.slow === null ? 0 : Math.max(this.slow.last, this.slow.singlyTo)
  }

  /** @throws TookTooLong if it is the one that took long */
  assertQuick(sequence: number): void {
    if (this.slow !== null && this.slow.first === this.slow.last && this.slow.first === sequence) {
      throw new TookTooLong()
    }
  }

  /** Ends once the cursor is past them: notes in which version the entry that was set aside took long. */
  endAt(cursor: number): void {
    const { slow } = this
    if (slow === null || cursor < this.singlyTo) return
    if (slow.first === slow.last) {
      this.connection.raw
        .query('UPDATE set_aside SET slow_in = ?, reason = ?, at = ? WHERE sequence = ?')
        .run(slow.version, tookTooLong, this.clock.now(), slow.first)
    }
    this.mark.remove()
    this.slow = null
  }
}

/** Entries among which one took too long, and in which version of the program. */
interface SlowEntries extends WorkedEntries {
  version: string
}

/**
 * A file beside the database that says which entries took too long. The database itself cannot say so: the thread that
 * is at them holds its write lock.
 */
export class SlowMark {
  private readonly file: string

  constructor(databaseFile: string) {
    this.file = `${databaseFile}-slow`
  }

  /** `null`: none did, or the file cannot be read; then the entry is met again. */
  read(): SlowEntries | null {
    try {
      const { first, last, singlyTo, version } = JSON.parse(readFileSync(this.file, 'utf8')) as SlowEntries
      return [first, last, singlyTo].every(Number.isSafeInteger) ? { first, last, singlyTo, version } : null
    } catch {
      return null
    }
  }

  /** Resolves when it is on disk. */
  async write(entries: SlowEntries): Promise<void> {
    const made = `${this.file}.tmp`
    const file = await open(made, 'w', 0o600)
    try {
      await file.writeFile(JSON.stringify(entries))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(made, this.file)
  }

  remove(): void {
    rmSync(this.file, { force: true })
  }
}

/** Entries by their sequence numbers, from the first to the last. */
export interface WorkedEntries {
  first: number
  last: number
  /** Up to here, entries are processed one by one; 0: no longer. */
  singlyTo: number
}

/** In memory: the entries' numbers, and behind them, the counter and the thread. */
const numbers = 3
const integersAt = numbers * Float64Array.BYTES_PER_ELEMENT
const [counterAt, threadAt] = [0, 1]

/**
 * Which entries the writing thread is at, in memory that it shares with the serving thread. One number costs
 * nanoseconds, so each entry is marked.
 */
export class WorkMark {
  private readonly entries: Float64Array
  private readonly integers: Int32Array
  /** See `WorkedEntries`. */
  singlyTo = 0

  /** @param memory that of another instance, if there is one */
  constructor(readonly memory = new SharedArrayBuffer(integersAt + 2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.entries = new Float64Array(memory, 0, numbers)
    this.integers = new Int32Array(memory, integersAt)
  }

  /** Whose processor time counts. */
  set thread(id: number) {
    Atomics.store(this.integers, threadAt, id)
  }

  get thread(): number {
    return Atomics.load(this.integers, threadAt)
  }

  begin(first: number, last = first): void {
    this.entries[0] = first
    this.entries[1] = last
    this.entries[2] = this.singlyTo
    Atomics.add(this.integers, counterAt, 1)
  }

  end(): void {
    this.begin(0)
  }

  /** Differs for each `begin`. */
  get counter(): number {
    return Atomics.load(this.integers, counterAt)
  }

  /** `null`: it is at none. */
  get underWay(): WorkedEntries | null {
    const [first = 0, last = 0, singlyTo = 0] = this.entries
    return first === 0 ? null : { first, last, singlyTo }
  }
}
