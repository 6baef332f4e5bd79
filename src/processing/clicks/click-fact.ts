import type { ClickVerdict } from '../../ledger/entry.ts'
import type { DeviceKey } from '../devices.ts'
import type { EntryKey } from '../entry-key.ts'

/** A click with its present verdict. */
export interface ClickFact {
  device: DeviceKey
  /** Epoch milliseconds. */
  receivedAt: number
  /** The day it counts for. */
  day: number
  /** '' when the link names none. */
  message: string
  /** Opaque id of the person whom the link was signed for. */
  recipient: string | null
  url: string
  /** Clicks of one group within seconds make a burst; see `burstGroup`. */
  burstGroup: string
  /** Hash of the user agent. */
  agent: string
  verdict: ClickVerdict
  reasons: string[]
  /** When the device's first sign of life after the click came, epoch milliseconds. */
  lifeAt: number | null
}

/** A click whose verdict may change. Within a step, the same click is always the same object. */
export interface StoredClick extends ClickFact {
  key: EntryKey
}
