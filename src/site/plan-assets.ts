import type { Asset } from '../asset/asset.ts'
import type { Change } from './change.ts'
import type { FolderAsset } from './folder-assets.ts'

/** An asset of the folder with the hash of its bytes. */
export type HashedAsset = FolderAsset & { sha256: string }

/** `lost`: missing from the asset store. `damaged`: the store has other bytes. */
export type Loss = 'lost' | 'damaged'

/** The published assets of an account. */
export interface PublishedAssets {
  assets: Asset[]
  /** Hashes of assets that the store has lost or damaged. */
  lost: ReadonlyMap<string, Loss>
}

/** Plans which assets to publish, restore and, with `prune`, remove. */
export function planAssets(assets: HashedAsset[], published: PublishedAssets | null, prune: boolean) {
  const known = published?.assets ?? []
  const before = new Map(known.map((asset) => [assetKey(asset), asset]))
  const changes: Change[] = []
  const staged: HashedAsset[] = []
  const restored: HashedAsset[] = []
  for (const asset of assets) {
    const { kind, name, sha256, state } = asset
    const current = before.get(assetKey(asset))?.current
    if (current?.sha256 === sha256 && current.state === state) {
      const loss = published?.lost.get(sha256)
      if (loss === undefined) continue
      restored.push(asset)
      changes.push({ action: 'update', kind, name, note: lossNotes[loss] })
      continue
    }
    staged.push(asset)
    changes.push({ action: current ? 'update' : 'create', kind, name, note: handNote(current, asset) })
  }
  const kept = new Set(assets.map(assetKey))
  const gone = known.filter((asset) => !kept.has(assetKey(asset)))
  const removed = prune ? gone : []
  for (const { kind, name } of removed) changes.push({ action: 'delete', kind, name, note: null })
  const left = gone.slice(removed.length).map(({ kind, name, current: { state } }) => ({ kind, name, state }))
  return { changes, staged, restored, removed, left }
}

const lossNotes: Readonly<Record<Loss, string>> = {
  lost: 'its content was lost from the data folder: stored again',
  damaged: 'its content was damaged in the data folder: stored again',
}

const assetKey = ({ kind, name }: Pick<Asset, 'kind' | 'name'>) => `${kind} ${name}`

/** Says that a change by hand is undone, since the folder is the source of truth. */
function handNote(current: Asset['current'] | undefined, { sha256, state }: HashedAsset): string | null {
  if (current === undefined) return state === 'preview' ? 'preview' : null
  const note = current.state === state ? null : `now ${state}`
  if (current.publishedBy !== 'hand') return note
  const day = new Date(current.publishedAt).toISOString().slice(0, 16).replace('T', ' ')
  const what = current.sha256 === sha256 ? `made ${current.state}` : 'rolled back'
  return `${what} by hand on ${day} UTC, now as in the folder`
}
