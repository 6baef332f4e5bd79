import type { Entry } from '../ledger/entry.ts'
import { Answers } from './answers.ts'
import type { EntryKey, UnderWay } from './entry-key.ts'

/**
 * Storage's name of a device: of no meaning to anybody else, and gone when the device is. Negative until the step that
 * met it first is kept.
 */
export type DeviceKey = number & { readonly __of: 'device' }

/** A browser or app that keeps an identity cookie. */
export interface Device {
  key: DeviceKey
  /** Its latest hit that counts, epoch milliseconds; `null`: none yet. */
  hitAt: number | null
  /** When its latest visit began, epoch milliseconds; `null`: none yet, or it is not known. */
  visitAt: number | null
  /** The latest day with a view that counts; days since 1970 in the account's time zone. */
  viewDay: number | null
  /** The landing page it was served last. */
  page: ServedPage | null
  /** Receipt of its earliest click without a later sign of life, epoch milliseconds; `null`: none waits for one. */
  awaitsLifeSince: number | null
}

/** A landing page that a device was served, and when, epoch milliseconds. */
export interface ServedPage {
  at: number
  slug: string
  sha256: string
}

export interface DeviceName {
  accountId: string
  id: string
}

/** That a device made an entry, and what that added to which day's figures (see figures/hit-bits.ts). */
interface DeviceEntry {
  device: DeviceKey
  key: EntryKey
  entry: Entry
  day: number
  counted: number
}

export interface PageQuery {
  device: DeviceKey
  /** Epoch milliseconds. */
  at: number
}

export interface DeviceLoads {
  device(asked: DeviceName[]): (Device | null)[]
  /** The page view received last by then, as the ledger has it. */
  pageServed(asked: PageQuery[]): (ServedPage | null)[]
}

/** The devices that entries of a step name. */
export class Devices {
  /** Those met for the first time, in that order. */
  readonly made: (DeviceName & { device: Device })[] = []
  readonly changed = new Set<Device>()
  readonly entries: DeviceEntry[] = []
  private readonly byName: Answers<DeviceName, Device | null>
  private readonly pages: Answers<PageQuery, ServedPage | null>

  constructor(
    load: DeviceLoads,
    private readonly underWay: UnderWay,
  ) {
    this.byName = new Answers(
      (asked) => load.device(asked),
      ({ accountId, id }) => accountId + id,
    )
    this.pages = new Answers(
      (asked) => load.pageServed(asked),
      ({ device, at }) => `${device} ${at}`,
    )
  }

  foresee(names: readonly DeviceName[]): void {
    this.byName.foresee(names)
  }

  /** The device, made when it was never heard of. The same object for all entries of a step. */
  named(accountId: string, id: string): Device {
    const name = { accountId, id }
    return this.known(name) ?? this.make(name)
  }

  /** `null`: no entry before has named it. */
  known(name: DeviceName): Device | null {
    return this.byName.of(name)
  }

  /** Keeps what was changed of it. */
  save(device: Device): void {
    if (isStored(device.key)) this.changed.add(device)
  }

  /** Notes that the device made the entry under way. */
  noteEntry({ key }: Device, entry: Entry, { day, counted }: { day: number; counted: number }): void {
    this.entries.push({ device: key, key: this.underWay.key, entry, day, counted })
  }

  /** The landing page that the device had been served last by that time, epoch milliseconds, looked up in the ledger. */
  pageServed({ key: device }: Device, at: number): ServedPage | null {
    let served = isStored(device) ? this.pages.of({ device, at }) : null
    for (const { device: by, entry } of this.entries) {
      if (by !== device || entry.kind !== 'page_view' || entry.receivedAt > at) continue
      const { receivedAt, slug, sha256 } = entry
      if (served === null || receivedAt >= served.at) served = { at: receivedAt, slug, sha256 }
    }
    return served
  }

  private make(name: DeviceName): Device {
    const key = -(this.made.length + 1) as DeviceKey
    const device: Device = { key, hitAt: null, visitAt: null, viewDay: null, page: null, awaitsLifeSince: null }
    this.made.push({ ...name, device })
    this.byName.set(name, device)
    return device
  }
}

/** Whether storage knows it, so that there can be something to load. */
export const isStored = (key: DeviceKey): boolean => key > 0
