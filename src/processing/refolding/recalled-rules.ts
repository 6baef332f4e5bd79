import type { Entry } from '../../ledger/entry.ts'
import { Verdicts } from '../../verdict/verdicts.ts'
import type { Touch } from '../attribution/touch.ts'
import { directTouch, isView } from '../attribution/touch-of.ts'
import { wasBot } from '../figures/measures.ts'
import type { Rules } from '../processing-state.ts'
import { type DeviceBase, hasExpired } from './device-base.ts'
import type { RememberedEntry } from './remembered-entry.ts'

type Remembered = Pick<RememberedEntry, 'day' | 'counted' | 'touch' | 'goals'>

/**
 * What the entry alone said when it was first folded. Lists of programs, domains and time zones may have changed since,
 * and erasing somebody must not re-read the entries of others.
 */
export class RecalledRules implements Rules {
  readonly days = { of: () => this.remembered.day }
  readonly verdicts: Verdicts
  private remembered: Remembered = { day: 0, counted: 0, touch: null, goals: null }

  constructor(private readonly base: Pick<DeviceBase, 'expiredAt'>) {
    this.verdicts = new RecalledVerdicts(() => this.remembered.counted)
  }

  readonly targetsOf: Rules['targetsOf'] = () => this.remembered.goals?.targets ?? []

  recall(remembered: Remembered): void {
    this.remembered = remembered
  }

  /**
   * A view without a touch was direct and not the first. An expired record may have preceded it: then it still says
   * nothing.
   */
  readonly touchOf: Rules['touchOf'] = (hit): Touch | null => {
    const { touch } = this.remembered
    if (touch !== null || !isView(hit)) return touch
    return hasExpired(this.base, this.base.expiredAt) ? null : directTouch(hit)
  }
}

class RecalledVerdicts extends Verdicts {
  constructor(private readonly counted: () => number) {
    super()
  }

  /** An `$identify` event counts nowhere, so its bits do not say whether a program sent it. */
  override isBot(entry: Pick<Entry, 'kind' | 'source'>): boolean {
    return wasBot(this.counted()) ?? super.isBot(entry)
  }
}
