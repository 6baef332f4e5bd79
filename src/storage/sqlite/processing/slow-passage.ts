import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { type SlowEntries, SlowMark } from './slow-mark.ts'

/** Processor time that one entry may take, in milliseconds; a common one takes 0.03. */
export const entryMsMax = 250

/** Why an entry is set aside that took longer. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

/**
 * Leads processing past entries that took too long in an earlier thread or process. Where several were under way, they
 * are processed one by one, so that the one that takes long again is known. Where it is known, it is set aside.
 */
export class SlowPassage {
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

  /** Ends the passage once the cursor is past it: notes in which version the entry that was set aside took long. */
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

export const tookTooLong = `it took more than ${entryMsMax} ms of processor time`
