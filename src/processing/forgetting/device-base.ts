import type { Device, DeviceKey, ServedPage } from '../devices.ts'
import { visitOf } from '../figures/hit-bits.ts'

/**
 * What folding a device's entries goes on from: what those that retention has deleted left behind. They were counted and stay
 * counted, so that the base moves with each of them and no figure does.
 */
export interface DeviceBase {
  key: DeviceKey
  /** Hits received up to then have expired, some of which may tell something still, epoch milliseconds; `null`: none. */
  expiredAt: number | null
  /** The latest of them that counts, epoch milliseconds. */
  hitAt: number | null
  /** When the latest visit that one of them began did, epoch milliseconds. */
  visitAt: number | null
  /** The latest day of them with a view that counts. */
  viewDay: number | null
  /** The landing page that the device was served last, when that has expired. */
  page: ServedPage | null
}

/** A hit of a device that retention deletes. */
export interface ExpiredHit {
  /** Epoch milliseconds. */
  receivedAt: number
  day: number
  /** What it added to the figures; see figures/hit-bits.ts. */
  counted: number
}

type Boundary = Pick<DeviceBase, 'expiredAt' | 'hitAt' | 'visitAt' | 'viewDay'>

/** The base once the hit has gone. */
export function advanced(base: Boundary, { receivedAt, day, counted }: ExpiredHit): Boundary {
  const { isView, goesOn, begins } = visitOf(counted)
  return {
    expiredAt: later(base.expiredAt, receivedAt),
    hitAt: goesOn ? later(base.hitAt, receivedAt) : base.hitAt,
    visitAt: begins ? later(base.visitAt, receivedAt) : base.visitAt,
    viewDay: isView ? later(base.viewDay, day) : base.viewDay,
  }
}

/**
 * Whether something that is said to have happened then was told by a record which has expired. Nothing else tells it any
 * more, so that it stays as it was told.
 */
export const hasExpired = ({ expiredAt }: Pick<DeviceBase, 'expiredAt'>, at: number | null): boolean =>
  at !== null && expiredAt !== null && at <= expiredAt

/** The device as it was before the first entry that is left. */
export const deviceOf = ({ key, hitAt, visitAt, viewDay, page }: DeviceBase): Device => ({
  key,
  hitAt,
  visitAt,
  viewDay,
  page,
  awaitsLifeSince: null,
})

const later = (one: number | null, other: number): number => Math.max(one ?? other, other)
