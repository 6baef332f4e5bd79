import { type Asset, subjectOf } from '../asset/asset.ts'
import type { HashedAsset } from './plan-assets.ts'

/** An asset as it stands once a plan is published. */
export type PlannedAsset = Pick<HashedAsset, 'kind' | 'name' | 'state' | 'liveFrom' | 'liveUntil' | 'sha256'> & {
  /** Where the folder has its bytes; `null`: it is not in the folder. */
  file: string | null
}

/** What is published once a plan is: the folder's assets, and those of the box that it leaves there. */
export function plannedAssets(
  before: readonly Asset[],
  folder: readonly HashedAsset[],
  removed: readonly Pick<Asset, 'kind' | 'name'>[],
): PlannedAsset[] {
  const settled = new Set([...folder, ...removed].map(subjectOf))
  const left = before
    .filter((asset) => !settled.has(subjectOf(asset)))
    .map(({ kind, name, current }) => ({ ...current, kind, name, file: null }))
  return [...folder, ...left]
}
