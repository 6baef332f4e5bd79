import type { Device } from '../device-state.ts'
import type { Measure } from './measures.ts'

export interface FigureState {
  /** Adds to one figure of a day; `name` is '' where the measure is split by nothing. */
  add(accountId: string, figure: { day: number; measure: Measure; name: string; count: number }): void
  /**
   * Whether one more of the account's figures of the measure and day may have this name: it has a row already, or is
   * given one, since fewer than `max` have one. Names in `uncounted` are not among these.
   */
  mayName(
    accountId: string,
    figure: { day: number; measure: Measure; name: string },
    limit: { max: number; uncounted: readonly string[] },
  ): boolean
  /** Notes that the device viewed something on the day; whether it is the first view of that day. */
  noteVisitor(device: Device, day: number): boolean
}
