import { relative } from 'node:path'
import type { Change } from './change.ts'
import type { SiteFolder } from './folder.ts'
import { isSameFolder, type KeptFile, type KeptFolder } from './kept-folder.ts'
import type { HashedAsset } from './plan-assets.ts'
import type { HereChange } from './publication-log.ts'
import { siteToml } from './site-faults.ts'

export interface FolderPlan {
  /** The folder that the box is to keep; `null`: it keeps this one already. */
  kept: KeptFolder | null
  /** What the plan changes, as people are told: `site.toml`, `page launch`. */
  subjects: string[]
  /** Those of them that were changed on the box since a folder was last applied from elsewhere. */
  replaced: HereChange[]
}

interface Before {
  kept: KeptFolder | null
  changedHere: HereChange[]
}

/**
 * Compares a folder with the one that the box keeps.
 *
 * @param changes of assets
 * @param besides changes of keys and deliveries: where `site.toml` is the one that the box keeps, they were made on the box
 */
export function planFolder(
  folder: Pick<SiteFolder, 'root' | 'siteToml'>,
  {
    assets,
    changes,
    besides,
  }: { assets: readonly HashedAsset[]; changes: readonly Change[]; besides: readonly Change[] },
  before: Before | null,
): FolderPlan {
  const after = { siteToml: folder.siteToml, files: filesOf(assets, folder.root) }
  const kept = before?.kept ?? null
  const text = kept?.siteToml === after.siteToml ? besides.map(subjectOf) : [siteToml]
  const subjects = [...text, ...changes.map(subjectOf)]
  const changed = new Set([...subjects, ...besides.map(subjectOf)])
  return {
    kept: kept !== null && isSameFolder(kept, after) ? null : after,
    subjects,
    replaced: (before?.changedHere ?? []).filter(({ subject }) => changed.has(subject)),
  }
}

const subjectOf = ({ kind, name }: Change): string => `${kind} ${name}`

/** One file may be several pages. */
function filesOf(assets: readonly HashedAsset[], root: string): KeptFile[] {
  const files = new Map<string, KeptFile>()
  for (const { file, sha256, byteCount } of assets) {
    const path = relative(root, file)
    files.set(path, { path, sha256, byteCount })
  }
  return [...files.values()].sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
}
