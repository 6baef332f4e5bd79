import type { ClickVerdict } from '../../ledger/entry.ts'
import type { DeviceKey } from '../device-state.ts'

/** A click as it is judged today. */
export interface ClickFact {
  device: DeviceKey
  /** Epoch milliseconds. */
  receivedAt: number
  /** The day it counts for. */
  day: number
  /** '' when the link names none. */
  message: string
  recipient: string | null
  url: string
  /** Clicks of one group within seconds make a burst; see `burstGroup`. */
  burstGroup: string
  /** Hash of the user agent. */
  agent: string
  verdict: ClickVerdict
  reasons: string[]
  /** When the device gave a sign of life after it, epoch milliseconds. */
  lifeAt: number | null
}

export interface ClickState {
  /** Keeps the click under way. */
  add(accountId: string, click: ClickFact): void
}
