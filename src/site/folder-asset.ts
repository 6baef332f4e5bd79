import type { AssetKind, AssetState } from '../asset/asset.ts'
import { assetBytesMax } from './limits.ts'
import type { FolderReport } from './site-faults.ts'

/** A page, image or file of a site folder. Its bytes have not been read. */
export interface FolderAsset {
  kind: AssetKind
  /** A page's slug, or the path below `img/` or `files/`. */
  name: string
  /** Relative to the site folder, for messages. */
  shown: string
  /** Absolute. */
  file: string
  byteCount: number
  state: AssetState
}

/** Reports files that are too large, and warns about empty pages. */
export function checkSize(asset: FolderAsset, report: FolderReport): void {
  const { shown } = asset
  const bytesMax = assetBytesMax[asset.kind]
  if (asset.byteCount > bytesMax) report.file(shown, `has ${asset.byteCount} bytes; at most ${bytesMax} are possible`)
  if (asset.byteCount === 0 && asset.kind === 'page') report.warnings.push(`${shown}: is empty`)
}
