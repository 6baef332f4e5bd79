import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { faultReason, isStorageFault } from '../processing/fault-reason.ts'
import type { Folding } from '../processing/folding.ts'
import { isDamage } from '../salvage/damage.ts'
import { StaleBursts } from './stale-bursts.ts'
import { StaleDays } from './stale-days.ts'
import { StaleDevices } from './stale-devices.ts'
import { StaleRepeats } from './stale-repeats.ts'

interface RefoldingOptions {
  connection: Connection
  clock: Clock
  folding: Folding
  /** Called with the reason why something was left as it was. */
  onGivenUp: (reason: string) => void
}

interface UnderWay {
  work: Generator<void, void>
  /** Leaves it as it was, for this reason. */
  giveUp: (reason: string) => void
}

/**
 * Derives again what is stale because entries are gone. A duty of whoever processes, so that an interrupted erasure has
 * nothing to clean up. Works in parts and, after a kill, starts over.
 */
export class Refolding {
  private underWay: UnderWay | null = null
  private deadlineMs = 0
  private readonly kinds: readonly { next(): UnderWay | null }[]

  constructor(private readonly options: RefoldingOptions) {
    const { connection, folding, clock } = options
    const turn = { isOver: () => clock.monotonicMs() >= this.deadlineMs }
    this.kinds = [
      new StaleDevices(connection, folding, turn),
      // After the devices, whose touches decide for which source a lead counts.
      new StaleRepeats(connection, folding, turn),
      new StaleBursts(connection, folding, turn),
      // Last: all others may free names.
      new StaleDays(connection, folding, turn),
    ]
  }

  /**
   * Continues for about so many milliseconds; returns whether more is stale.
   *
   * @throws SQLiteError when the disk or a lock prevents it; then nothing of the part was stored
   */
  run(msMax: number): 'more' | 'done' {
    const { clock } = this.options
    this.deadlineMs = clock.monotonicMs() + msMax
    do {
      this.underWay ??= this.next()
      if (this.underWay === null) return 'done'
      this.goOn(this.underWay)
    } while (clock.monotonicMs() < this.deadlineMs)
    return 'more'
  }

  private next(): UnderWay | null {
    for (const kind of this.kinds) {
      const found = kind.next()
      if (found !== null) return found
    }
    return null
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
