import type { AssetKind } from './asset-kind.ts'

export type AssetState = 'live' | 'preview'

/** When visitors see a live page, epoch milliseconds; `null`: from the start, and without end. */
export interface LiveTimes {
  liveFrom: number | null
  liveUntil: number | null
}

export const hasTimes = ({ liveFrom, liveUntil }: LiveTimes): boolean => liveFrom !== null || liveUntil !== null

/** The times of what has none. */
export const always: LiveTimes = { liveFrom: null, liveUntil: null }

/** One version of a page, image or file: the current one, or an earlier one stored for `page history`. */
export interface AssetVersion extends LiveTimes {
  /** 1 and up within its asset. */
  number: number
  /** Lower-case hex SHA-256 of the bytes as published: the key into the asset store. */
  sha256: string
  byteCount: number
  /** Stored encodings other than identity, and their sizes. */
  variants: AssetVariant[]
  state: AssetState
  /** Epoch milliseconds. */
  publishedAt: number
  /** `hand`: by a `page` command, until the next `apply` says otherwise. */
  publishedBy: 'apply' | 'hand'
}

export type ContentEncoding = 'br' | 'gzip'

export interface AssetVariant {
  encoding: ContentEncoding
  byteCount: number
}

/** A page, image or file of an account, in its current version. */
export interface Asset {
  /** The eight-character short id, unique on the box. */
  id: string
  kind: AssetKind
  /** A page's slug, or the path below the kind's folder. */
  name: string
  current: AssetVersion
}

/** Names a thing of an account among all kinds, as the publication log does: `page launch`. */
export const subjectOf = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`

/** What visitors see at an instant, epoch milliseconds. */
export const isLiveAt = (
  { state, liveFrom, liveUntil }: Pick<AssetVersion, 'state' | keyof LiveTimes>,
  instant: number,
) => state === 'live' && (liveFrom ?? instant) <= instant && instant < (liveUntil ?? Number.POSITIVE_INFINITY)
