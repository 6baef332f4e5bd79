import type { ShownVersion } from '../attribution/versions.ts'
import type { Device, DeviceKey, ServedPage } from '../devices.ts'
import type { Channel } from '../figures/channel.ts'
import { type NotedHit, visitOf } from '../figures/measures.ts'

/**
 * The base from which a device's entries are folded: what deleted records left behind. These stay counted, so each
 * deletion moves the base and no figure.
 */
export interface DeviceBase {
  key: DeviceKey
  /** Hits received up to then may have expired, epoch milliseconds; `null`: none has. */
  expiredAt: number | null
  /** The latest expired hit that counted, epoch milliseconds. */
  hitAt: number | null
  /** When the latest visit that one of them began did, epoch milliseconds. */
  visitAt: number | null
  /** What began that visit. */
  channel: Channel | null
  /** The latest day on which an expired hit viewed something. */
  viewDay: number | null
  /** The landing page served last, if its view has expired. */
  page: ServedPage | null
  /** The versions of split pages that its latest visit was shown, if their views have expired. */
  versions: readonly ShownVersion[]
  /** When the device was an erased person's. Only what was told of then by expired records needs them: others are gone. */
  erased: readonly ErasedTime[]
}

/** Epoch milliseconds; `until` is exclusive. */
export interface ErasedTime {
  from: number
  until: number
}

/** A hit of a device that retention deletes. */
export interface ExpiredHit extends NotedHit {
  receivedAt: number
}

type Boundary = Pick<DeviceBase, 'expiredAt' | 'hitAt' | 'visitAt' | 'channel' | 'viewDay'>

/** The base after the hit's deletion. */
export function advanced(base: Boundary, { receivedAt, day, counted, channel }: ExpiredHit): Boundary {
  const { isView, goesOn, begins } = visitOf(counted)
  return {
    expiredAt: later(base.expiredAt, receivedAt),
    hitAt: goesOn ? later(base.hitAt, receivedAt) : base.hitAt,
    visitAt: begins ? later(base.visitAt, receivedAt) : base.visitAt,
    channel: begins && receivedAt >= (base.visitAt ?? receivedAt) ? channel : base.channel,
    viewDay: isView ? later(base.viewDay, day) : base.viewDay,
  }
}

/** Whether the record that said this has expired. Nothing else knows it any more. */
export const hasExpired = ({ expiredAt }: Pick<DeviceBase, 'expiredAt'>, at: number | null): boolean =>
  at !== null && expiredAt !== null && at <= expiredAt

/** Whether what a record of then told stays although the record has expired: it was not an erased person's. */
export const outlivesRecord = (base: Pick<DeviceBase, 'expiredAt' | 'erased'>, at: number | null): boolean =>
  hasExpired(base, at) && !base.erased.some(({ from, until }) => at !== null && from <= at && at < until)

/** The base without the pages that an erased person viewed; nothing has expired, if everything that has was theirs. */
export function withoutErased(base: DeviceBase): DeviceBase {
  const { expiredAt, page, versions, erased } = base
  const isAllErased = erased.some(({ from, until }) => from <= 0 && expiredAt !== null && expiredAt < until)
  return {
    ...base,
    expiredAt: isAllErased ? null : expiredAt,
    page: outlivesRecord(base, page?.at ?? null) ? page : null,
    versions: versions.filter(({ at }) => outlivesRecord(base, at)),
  }
}

/** The device before its first remaining entry. */
export const deviceOf = ({ key, hitAt, visitAt, channel, viewDay, page, versions }: DeviceBase): Device => ({
  key,
  hitAt,
  visitAt,
  channel,
  viewDay,
  page,
  versions,
  awaitsLifeSince: null,
})

const later = (one: number | null, other: number): number => Math.max(one ?? other, other)
