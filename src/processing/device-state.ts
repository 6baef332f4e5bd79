import type { PageView } from '../ledger/entry.ts'

/** Storage's name of a device: of no meaning to anybody else, and gone when the device is. */
export type DeviceKey = number & { readonly __of: 'device' }

/** A browser or app that keeps an identity cookie. */
export interface Device {
  key: DeviceKey
  /** Its latest hit that counts, epoch milliseconds; `null`: none yet. */
  hitAt: number | null
  /** The latest day with a view that counts; days since 1970 in the account's time zone. */
  viewDay: number | null
  /** The landing page it was served last. */
  page: { at: number; slug: PageView['slug']; sha256: PageView['sha256'] } | null
  /** Receipt of its earliest click without a later sign of life, epoch milliseconds; `null`: none waits for one. */
  awaitsLifeSince: number | null
}

export interface DeviceState {
  /** The device, made when it was never heard of. The same object for all entries of a step. */
  named(accountId: string, deviceId: string): Device
  /** Keeps what was changed of it. */
  save(device: Device): void
  /** Notes that the device made the entry under way, and what that added to which day's figures (see figures/hit-bits.ts). */
  noteEntry(device: Device, noted: { day: number; counted: number }): void
}
