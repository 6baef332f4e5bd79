import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { isDamage } from '../database/damage.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { faultReason, isStorageFault } from '../processing/fault-reason.ts'
import type { Folding } from '../processing/folding.ts'
import { staleDays } from './stale-days.ts'
import { StaleDevices } from './stale-devices.ts'
import { staleBursts, staleRepeats } from './stale-groups.ts'
import { pause, type StaleKind } from './stale-kind.ts'

interface RefoldingOptions {
  connection: Connection
  clock: Clock
  folding: Folding
  /** Called with the reason why something was left as it was. */
  onGivenUp: (reason: string) => void
}

interface UnderWay {
  work: Generator<void, void>
  giveUp: (reason: string) => void
}

/**
 * Derives again what is stale because entries are gone. A duty of whoever processes, so that an interrupted erasure has
 * nothing to clean up. Works in parts and, after a kill, starts over.
 */
export class Refolding {
  private underWay: UnderWay | null = null
  private deadlineMs = 0
  private readonly kinds: readonly (() => UnderWay | null)[]

  constructor(private readonly options: RefoldingOptions) {
    const { connection, folding } = options
    this.kinds = [
      this.of(new StaleDevices(connection, folding)),
      // After the devices, whose touches decide for which source a lead counts.
      this.of(staleRepeats(connection)),
      this.of(staleBursts(connection, folding)),
      // Last: all others may free names.
      this.of(staleDays(connection, folding)),
    ]
  }

  /**
   * Continues for about so many milliseconds; returns whether more is stale.
   *
   * @throws SQLiteError when the disk or a lock prevents it; then nothing of the part was stored
   */
  run(msMax: number): 'more' | 'done' {
    this.deadlineMs = this.options.clock.monotonicMs() + msMax
    do {
      this.underWay ??= this.next()
      if (this.underWay === null) return 'done'
      this.goOn(this.underWay)
    } while (!this.isOver())
    return 'more'
  }

  private of<Key extends { accountRow: number }, Change>(kind: StaleKind<Key, Change>): () => UnderWay | null {
    return () => {
      const key = kind.next()
      return key && { work: this.derive(kind, key), giveUp: (reason) => kind.giveUp(key, reason) }
    }
  }

  private next(): UnderWay | null {
    for (const next of this.kinds) {
      const found = next()
      if (found !== null) return found
    }
    return null
  }

  private *derive<Key extends { accountRow: number }, Change>(
    kind: StaleKind<Key, Change>,
    key: Key,
  ): Generator<void, void> {
    const { connection, folding } = this.options
    while (kind.isMarked(key)) {
      let part: Change[] = []
      const keep = () => {
        const changes = part
        part = []
        if (changes.length === 0) return
        writeTransaction(connection, () => {
          if (!kind.isMarked(key)) return
          folding.correct(key.accountRow, (correction) => {
            for (const change of changes) kind.write(change, key, correction)
          })
        })
      }
      for (const change of kind.changes(key)) {
        if (change !== pause) part.push(change)
        if (part.length >= kind.changesPerPart || this.isOver()) keep()
        if (!this.isOver()) continue
        yield
        if (!kind.isMarked(key)) return
      }
      keep()
      writeTransaction(connection, () => kind.isMarked(key) && kind.settle(key))
      if (this.isOver()) yield
    }
  }

  private isOver(): boolean {
    return this.options.clock.monotonicMs() >= this.deadlineMs
  }

  /** After a failure, the next turn starts over; if the entries are to blame, everything stays as it was. */
  private goOn({ work, giveUp }: UnderWay): void {
    this.underWay = null
    try {
      if (work.next().done !== true) this.underWay = { work, giveUp }
    } catch (error) {
      if (isStorageFault(error) && !isDamage(error)) throw error
      const reason = faultReason(error)
      giveUp(reason)
      this.options.onGivenUp(reason)
    }
  }
}
