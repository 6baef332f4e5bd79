import { type Asset, type AssetVersion, hasTimes, subjectOf } from '../asset/asset.ts'
import { WallClock } from '../lib/local-time.ts'
import type { Change } from './change.ts'
import { assetFields } from './comparison/asset-fields.ts'
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
export function planAssets(
  assets: HashedAsset[],
  published: PublishedAssets | null,
  { prune, timezone }: { prune: boolean; timezone: string },
) {
  const known = published?.assets ?? []
  const before = new Map(known.map((asset) => [subjectOf(asset), asset]))
  const clock = new WallClock(timezone)
  const changes: Change[] = []
  const staged: HashedAsset[] = []
  const restored: HashedAsset[] = []
  for (const asset of assets) {
    const { kind, name, sha256 } = asset
    const current = before.get(subjectOf(asset))?.current
    if (current && isUnchanged(current, asset)) {
      const loss = published?.lost.get(sha256)
      if (loss === undefined) continue
      restored.push(asset)
      changes.push({ action: 'update', kind, name, note: lossNotes[loss], fields: [] })
      continue
    }
    staged.push(asset)
    const fields = current ? assetFields(current, asset, clock) : []
    const note = current ? handNote(current, asset) : newNote(asset, clock)
    changes.push({ action: current ? 'update' : 'create', kind, name, note, fields })
  }
  const kept = new Set(assets.map(subjectOf))
  const gone = known.filter((asset) => !kept.has(subjectOf(asset)))
  const removed = prune ? gone : []
  for (const { kind, name } of removed) changes.push({ action: 'delete', kind, name, note: null, fields: [] })
  const left = gone.slice(removed.length).map(({ kind, name, current: { state } }) => ({ kind, name, state }))
  return { changes, staged, restored, removed, left }
}

const isUnchanged = (before: AssetVersion, after: HashedAsset): boolean =>
  before.sha256 === after.sha256 &&
  before.state === after.state &&
  before.liveFrom === after.liveFrom &&
  before.liveUntil === after.liveUntil

const lossNotes: Readonly<Record<Loss, string>> = {
  lost: 'its content was lost from the data folder: stored again',
  damaged: 'its content was damaged in the data folder: stored again',
}

function newNote({ state, liveFrom, liveUntil }: HashedAsset, clock: WallClock): string | null {
  if (state === 'preview') return state
  const from = liveFrom === null ? [] : [`from ${clock.textOf(liveFrom)}`]
  const until = liveUntil === null ? [] : [`until ${clock.textOf(liveUntil)}`]
  return hasTimes({ liveFrom, liveUntil }) ? ['live', ...from, ...until].join(' ') : null
}

/** Says that a change by hand is undone, since the folder is the source of truth. */
function handNote(current: AssetVersion, { sha256 }: HashedAsset): string | null {
  if (current.publishedBy !== 'hand') return null
  const day = new Date(current.publishedAt).toISOString().slice(0, 16).replace('T', ' ')
  const what = current.sha256 === sha256 ? `made ${current.state}` : 'rolled back'
  return `${what} by hand on ${day} UTC, now as in the folder`
}
