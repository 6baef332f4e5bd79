import type { Asset } from './asset.ts'
import { assetKinds, kindByWord, treatedAs } from './asset-kind.ts'

/** What a label of a host name is among handles (RFC 1123 section 2.1). */
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/**
 * The host of one account's previews, below the host of all previews, so that its pages have an origin of their own.
 * `null`: it has none, or its handle cannot be part of a host name.
 *
 * @param previewsBelow `null`: no account has one
 */
export const accountPreviewHost = (handle: string, previewsBelow: string | null): string | null =>
  previewsBelow !== null && label.test(handle) ? `${handle}.${previewsBelow}` : null

export const previewPath = ({ kind, id }: Pick<Asset, 'kind' | 'id'>): string =>
  assetKinds[treatedAs(kind)].previewPath + id

/** What a preview address shows, as commands and the API name it. */
export const previewWords = [...(Object.keys(kindByWord) as (keyof typeof kindByWord)[]), 'test'] as const

/** The hosted test page. Its path names no account, so its query does: `account`. */
export const testPagePath = '/_preview/test'
