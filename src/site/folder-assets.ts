import type { AssetKind, AssetState } from '../asset/asset.ts'
import { isSlug } from '../asset/asset-name.ts'
import { imageExtensions, imageMediaType } from '../asset/media-type.ts'
import { nearest } from '../lib/suggestion.ts'
import type { FoundFile } from './folder-walk.ts'
import { assetBytesMax } from './limits.ts'
import type { FolderReport } from './site-faults.ts'
import type { AssetEntry, PageEntry } from './site-schema.ts'

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

const extension = '.html'

/** A page, and the entry to report if it conflicts with another. */
interface Claim {
  asset: FolderAsset
  entry: PageEntry | null
}

/**
 * The pages of a folder: each file is live under its own name, unless `[[pages]]` names the file. A file with entries is served
 * only under their slugs.
 */
export function folderPages(found: FoundFile[], entries: PageEntry[], report: FolderReport): FolderAsset[] {
  const files = new Map(found.filter((file) => isPageFile(file, report)).map((file) => [`pages/${file.path}`, file]))
  const claims = new Map<string, Claim>()
  const named = new Set<string>()
  for (const entry of entries) {
    const file = namedFile(entry, files, report)
    if (file === null) continue
    named.add(file.path)
    const slug = entry.value.slug ?? stemOf(file.path.slice(file.path.lastIndexOf('/') + 1))
    if (entry.value.slug === null && !isSlug(slug)) report.key(entry.place('file'), `"${slug}" is not a slug; add one`)
    else claim(slug, { asset: pageAsset(slug, file, entry), entry }, claims, report)
  }
  for (const file of files.values()) {
    if (named.has(file.path)) continue
    const slug = stemOf(file.path)
    if (!isSlug(slug)) report.file(file.shown, slugFault)
    else claim(slug, { asset: pageAsset(slug, file, null), entry: null }, claims, report)
  }
  return [...claims.values()].map(({ asset }) => asset).sort((a, b) => (a.name < b.name ? -1 : 1))
}

const slugFault =
  'is not a page: a page is pages/<slug>.html, the slug [A-Za-z0-9] and up to 99 of [A-Za-z0-9._-]; [[pages]] can name a file elsewhere below pages/'

function isPageFile(file: FoundFile, report: FolderReport): boolean {
  if (file.path.endsWith(extension)) return true
  report.file(
    file.shown,
    `is not a page: its name does not end in ${extension}; put images below img/ and downloads below files/`,
  )
  return false
}

const stemOf = (name: string): string => name.slice(0, -extension.length)

const pageAsset = (slug: string, { shown, file, byteCount }: FoundFile, entry: PageEntry | null): FolderAsset => ({
  kind: 'page',
  name: slug,
  shown,
  file,
  byteCount,
  state: entry?.value.state ?? 'live',
})

function namedFile(entry: PageEntry, files: Map<string, FoundFile>, report: FolderReport): FoundFile | null {
  const { slug, file } = entry.value
  if (slug === null && file === null) return report.key(entry, 'expected a slug, a file, or both')
  const path = (file ?? `pages/${slug}${extension}`).normalize('NFC').replace(/^\.\//, '')
  const place = entry.place(file === null ? 'slug' : 'file')
  return files.get(path) ?? report.key(place, `there is no page ${path} in the folder${didYouMean(path, files)}`)
}

function claim(slug: string, claim: Claim, claims: Map<string, Claim>, report: FolderReport): void {
  const folded = slug.toLowerCase()
  const other = claims.get(folded)
  claims.set(folded, claim)
  // Two files with colliding names have already been reported.
  const entry = claim.entry ?? other?.entry ?? null
  if (other === undefined || entry === null) return
  const what =
    other.asset.name === slug
      ? `two pages have the slug "${slug}"`
      : `"${other.asset.name}" and "${slug}" differ only in case`
  report.key(entry.place(entry.value.slug === null ? 'file' : 'slug'), what)
}

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

/** A missing name is compared with every existing one. Beyond this many, a suggestion is not worth the wait. */
const comparedNamesMax = 1000

/** A suggestion to append to the message that a name is not in the folder. */
function didYouMean(name: string, there: ReadonlyMap<string, unknown>): string {
  const meant = there.size > comparedNamesMax ? null : nearest(name, there.keys())
  return meant === null ? '' : `; did you mean ${meant}?`
}
