import type { Click, ClickVerdict } from '../../ledger/entry.ts'
import type { DeviceKey } from '../device-state.ts'

/** Storage's name of a click. */
export type ClickKey = number & { readonly __of: 'click' }

/** A click as it is judged today. */
export interface ClickFact {
  device: DeviceKey
  /** Epoch milliseconds. */
  receivedAt: number
  /** The day it counts for. */
  day: number
  /** '' when the link names none. */
  message: string
  /** Opaque id of whom the link was signed for. */
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

export interface StoredClick extends ClickFact {
  key: ClickKey
}

export interface ClickState {
  /** Keeps the click under way. */
  add(accountId: string, click: ClickFact): void
  /** Keeps verdict, reasons and sign of life of a click. */
  save(click: StoredClick): void
  /** The group's clicks within so many milliseconds before and after, those nearest to `at`, at most `limit` on either side. */
  around(group: string, near: { at: number; withinMs: number; limit: number }): StoredClick[]
  /** The device's latest clicks without a later sign of life, received at `since` or after. */
  awaitingLife(device: DeviceKey, since: number, limit: number): StoredClick[]
  /** A click as it was captured; `null`: it is no longer held, or cannot be read any more. */
  captured(accountId: string, key: ClickKey): Click | null
}
