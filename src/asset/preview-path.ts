import type { Asset, AssetKind } from './asset.ts'

/** Where the preview host shows each kind of asset, by its short id (spec, "Preview surfaces"). */
export const previewPrefixes: Record<AssetKind, string> = {
  page: '/_preview/',
  image: '/_preview/img/',
  file: '/_preview/file/',
}

export const previewPath = ({ kind, id }: Pick<Asset, 'kind' | 'id'>): string => previewPrefixes[kind] + id

/** The hosted test page. Its path names no account, so its query does: `account`. */
export const testPagePath = '/_preview/test'
