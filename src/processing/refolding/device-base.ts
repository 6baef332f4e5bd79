import type { Device, DeviceKey, ServedPage } from '../devices.ts'
import { visitOf } from '../figures/hit-bits.ts'

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
  /** The latest day on which an expired hit viewed something. */
  viewDay: number | null
  /** The landing page served last, if its view has expired. */
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

/** The base after the hit's deletion. */
export function advanced(base: Boundary, { receivedAt, day, counted }: ExpiredHit): Boundary {
  const { isView, goesOn, begins } = visitOf(counted)
  return {
    expiredAt: later(base.expiredAt, receivedAt),
    hitAt: goesOn ? later(base.hitAt, receivedAt) : base.hitAt,
    visitAt: begins ? later(base.visitAt, receivedAt) : base.visitAt,
    viewDay: isView ? later(base.viewDay, day) : base.viewDay,
  }
}

/** Whether the record that said this has expired. Nothing else knows it any more, so it stays. */
export const hasExpired = ({ expiredAt }: Pick<DeviceBase, 'expiredAt'>, at: number | null): boolean =>
  at !== null && expiredAt !== null && at <= expiredAt

/** The device before its first remaining entry. */
export const deviceOf = ({ key, hitAt, visitAt, viewDay, page }: DeviceBase): Device => ({
  key,
  hitAt,
  visitAt,
  viewDay,
  page,
  awaitsLifeSince: null,
})

const later = (one: number | null, other: number): number => Math.max(one ?? other, other)
