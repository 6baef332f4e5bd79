const assetKinds = ['page', 'image', 'file'] as const
export type AssetKind = (typeof assetKinds)[number]

export type AssetState = 'live' | 'preview'

/** One version of a page, image or file: the current one, or an earlier one stored for `page history`. */
export interface AssetVersion {
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
  /** A page's slug, or the path below `img/` or `files/`. */
  name: string
  current: AssetVersion
}
