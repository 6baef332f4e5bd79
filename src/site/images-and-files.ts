import { imageExtensions, imageMediaType } from '../asset/media-type.ts'
import { didYouMean } from './did-you-mean.ts'
import type { FolderAsset } from './folder-asset.ts'
import type { FoundFile } from './folder-walk.ts'
import type { FolderReport } from './site-faults.ts'
import type { AssetEntry } from './site-schema.ts'

export function folderImages(found: FoundFile[], entries: AssetEntry[], report: FolderReport): FolderAsset[] {
  const images = found.filter((file) => isImage(file, report))
  return withStates('image', 'img/', { found: images, entries }, report)
}

export const folderFiles = (found: FoundFile[], entries: AssetEntry[], report: FolderReport): FolderAsset[] =>
  withStates('file', 'files/', { found, entries }, report)

function isImage(file: FoundFile, report: FolderReport): boolean {
  if (imageMediaType(file.path) !== null) return true
  report.file(file.shown, `cannot be served as an image: its name does not end in any of ${imageExtensions.join(', ')}`)
  return false
}

/** Assets are live unless their entry says otherwise. */
function withStates(
  kind: 'image' | 'file',
  top: string,
  { found, entries }: { found: FoundFile[]; entries: AssetEntry[] },
  report: FolderReport,
): FolderAsset[] {
  const assets = new Map<string, FolderAsset>(
    found.map(({ path, ...file }) => [path, { kind, name: path, ...file, state: 'live' }]),
  )
  const named = new Map<string, AssetEntry>()
  for (const entry of entries) {
    const name = nameOf(entry, top, assets)
    const asset = assets.get(name)
    const other = named.get(name)
    if (asset === undefined)
      report.key(entry.place('path'), `there is no ${top}${name} in the folder${didYouMean(name, assets)}`)
    else if (other !== undefined)
      report.key(entry.place('path'), `"${name}" is already named by ${other.key} (line ${other.line})`)
    else assets.set(name, { ...asset, state: entry.value.state })
    named.set(name, entry)
  }
  return [...assets.values()]
}

/** Paths are relative to the top folder. A path that includes the top folder is accepted too. */
function nameOf(entry: AssetEntry, top: string, assets: Map<string, FolderAsset>): string {
  const path = entry.value.path.normalize('NFC').replace(/^\.\//, '')
  return !assets.has(path) && path.startsWith(top) ? path.slice(top.length) : path
}
