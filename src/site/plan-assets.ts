import type { Asset } from '../asset/asset.ts'
import type { Change } from './change.ts'
import type { FolderAsset } from './folder-asset.ts'

/** An asset of the folder with the hash of its bytes. */
export type HashedAsset = FolderAsset & { sha256: string }

/** What an account has published. */
export interface PublishedAssets {
  assets: Asset[]
  /** Hashes of what the asset store has lost of them. */
  lost: ReadonlySet<string>
}

/** What of a folder's assets has to be published, put back, and with `prune` removed. */
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
      if (!published?.lost.has(sha256)) continue
      restored.push(asset)
      changes.push({ action: 'update', kind, name, note: 'its content was lost from the data folder: stored again' })
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

const assetKey = ({ kind, name }: Pick<Asset, 'kind' | 'name'>) => `${kind} ${name}`

/** The folder is the truth: what was changed by hand is said when it goes back (contract section 1). */
function handNote(current: Asset['current'] | undefined, { sha256, state }: HashedAsset): string | null {
  if (current === undefined) return state === 'preview' ? 'preview' : null
  const note = current.state === state ? null : `now ${state}`
  if (current.publishedBy !== 'hand') return note
  const day = new Date(current.publishedAt).toISOString().slice(0, 16).replace('T', ' ')
  const what = current.sha256 === sha256 ? `made ${current.state}` : 'rolled back'
  return `${what} by hand on ${day} UTC, now as in the folder`
}
