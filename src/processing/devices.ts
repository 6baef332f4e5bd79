import type { Entry, PageView } from '../ledger/entry.ts'
import { Answers } from './answers.ts'
import type { ShownVersion } from './attribution/versions.ts'
import type { Channel } from './figures/channel.ts'
import type { NotedHit } from './figures/measures.ts'
import type { EntryKey, UnderWay } from './ledger-item.ts'

/**
 * Storage's key of a device. It means nothing elsewhere and goes with the device. Negative until the first step that
 * meets the device is kept.
 */
export type DeviceKey = number & { readonly __of: 'device' }

/** A browser or app that keeps an identity cookie. */
export interface Device {
  key: DeviceKey
  /** Its latest hit that counts as part of a visit, epoch milliseconds; `null`: none yet. */
  hitAt: number | null
  /** When its latest visit began, epoch milliseconds; `null`: none yet, or it is not known. */
  visitAt: number | null
  /** The latest day on which it viewed something; days since 1970 in the account's time zone. */
  viewDay: number | null
  /** What began its latest visit, as counted; `null`: none yet. */
  channel: Channel | null
  /** The landing page it was served last. */
  page: ServedPage | null
  /** The versions of split pages that its latest visit was shown, in order. */
  versions: readonly ShownVersion[]
  /** Receipt of its earliest click without a later sign of life, epoch milliseconds; `null`: no click awaits one. */
  awaitsLifeSince: number | null
}

/** A landing page that a device was served, and when, epoch milliseconds. */
export interface ServedPage {
  at: number
  slug: string
  sha256: string
}

export const servedPage = ({ receivedAt, slug, sha256 }: PageView): ServedPage => ({ at: receivedAt, slug, sha256 })

export interface DeviceName {
  accountId: string
  id: string
}

/** An entry of a device and what it added to which day's figures. */
interface DeviceEntry extends NotedHit {
  device: DeviceKey
  key: EntryKey
  entry: Entry
}

export interface PageQuery {
  device: DeviceKey
  at: number
}

export interface DeviceLoads {
  device(asked: DeviceName): Device | null
  /** The latest page view received by then, from the ledger. */
  pageServed(asked: PageQuery): ServedPage | null
}

/** The devices that the step's entries name. */
export class Devices {
  /** Devices met for the first time, in that order. */
  readonly made: (DeviceName & { device: Device })[] = []
  readonly changed = new Set<Device>()
  readonly entries: DeviceEntry[] = []
  private readonly byName: Answers<DeviceName, Device | null>

  constructor(
    private readonly load: DeviceLoads,
    private readonly underWay: UnderWay,
  ) {
    this.byName = new Answers(
      (asked) => load.device(asked),
      ({ accountId, id }) => accountId + id,
    )
  }

  /** The device, created if it is new. The same object for all entries of a step. */
  named(accountId: string, id: string): Device {
    const name = { accountId, id }
    return this.byName.of(name) ?? this.make(name)
  }

  save(device: Device): void {
    if (isStored(device.key)) this.changed.add(device)
  }

  noteEntry({ key }: Device, entry: Entry, { day, counted, channel }: NotedHit): void {
    this.entries.push({ device: key, key: this.underWay.key, entry, day, counted, channel })
  }

  /** The landing page served last to the device by then (epoch milliseconds), from the ledger. */
  pageServed({ key: device }: Device, at: number): ServedPage | null {
    let served = isStored(device) ? this.load.pageServed({ device, at }) : null
    for (const { device: by, entry } of this.entries) {
      if (by !== device || entry.kind !== 'page_view' || entry.receivedAt > at) continue
      if (served === null || entry.receivedAt >= served.at) served = servedPage(entry)
    }
    return served
  }

  private make(name: DeviceName): Device {
    const key = -(this.made.length + 1) as DeviceKey
    const visits = { hitAt: null, visitAt: null, viewDay: null, channel: null }
    const device: Device = { key, ...visits, page: null, versions: [], awaitsLifeSince: null }
    this.made.push({ ...name, device })
    this.byName.set(name, device)
    return device
  }
}

/** Whether the device is stored, so that there may be something to load. */
export const isStored = (key: DeviceKey): boolean => key > 0
