import { type AssetState, always, type LiveTimes } from '../asset/asset.ts'
import { type AssetKind, assetKinds, type PathKind, treatedAs } from '../asset/asset-kind.ts'
import { isSlug } from '../asset/asset-name.ts'
import { assetExtensions, imageExtensions } from '../asset/media-type.ts'
import type { WallClock } from '../lib/local-time.ts'
import { Suggestions } from '../lib/suggestion.ts'
import type { FoundFile } from './folder-walk.ts'
import { assetBytesMax } from './limits.ts'
import type { FolderReport } from './site-faults.ts'
import type { AssetEntry, PageEntry } from './site-schema.ts'

/** A page, image or file of a site folder. Its bytes have not been read. */
export interface FolderAsset extends LiveTimes {
  kind: AssetKind
  /** A page's slug, or the path below the kind's folder. */
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
  const bytesMax = assetBytesMax[treatedAs(asset.kind)]
  if (asset.byteCount > bytesMax) report.file(shown, `has ${asset.byteCount} bytes; at most ${bytesMax} are possible`)
  if (asset.byteCount === 0 && treatedAs(asset.kind) === 'page') report.warnOfFile('empty_page', shown, 'is empty')
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
export function folderPages(
  found: FoundFile[],
  { entries, clock }: { entries: PageEntry[]; clock: WallClock },
  report: FolderReport,
): FolderAsset[] {
  const pages = found.filter((file) => file.path !== errorPagePath && isPageFile(file, report))
  const files = new Map(pages.map((file) => [`pages/${file.path}`, file]))
  const suggestions = new Suggestions([...files.keys()])
  const claims = new Map<string, Claim>()
  const named = new Set<string>()
  for (const entry of entries) {
    const file = namedFile(entry, { files, suggestions }, report)
    if (file === null) continue
    named.add(file.path)
    const slug = entry.value.slug ?? stemOf(file.path.slice(file.path.lastIndexOf('/') + 1))
    if (entry.value.slug === null && !isSlug(slug)) report.key(entry.place('file'), `"${slug}" is not a slug; add one`)
    else claim(slug, { asset: pageAsset(slug, file, shownBy(entry, clock, report)), entry }, claims, report)
  }
  for (const file of files.values()) {
    if (named.has(file.path)) continue
    const slug = stemOf(file.path)
    if (!isSlug(slug)) report.file(file.shown, slugFault)
    else claim(slug, { asset: pageAsset(slug, file, fromTheStart), entry: null }, claims, report)
  }
  return [...claims.values()].map(({ asset }) => asset).sort((a, b) => (a.name < b.name ? -1 : 1))
}

const errorPagePath = '404.html'
const errorPageFault =
  'pages/404.html answers where nothing is, and has no address or state of its own: give the page another file'

/** The page that answers where nothing is, if the folder has one. */
export const errorPages = (found: FoundFile[]): FolderAsset[] =>
  found.flatMap(({ path, ...file }) =>
    path === errorPagePath ? [{ kind: 'error_page', name: '404', ...file, ...fromTheStart }] : [],
  )

const slugFault =
  'is not a page: a page is pages/<slug>.html, the slug [A-Za-z0-9] and up to 99 of [A-Za-z0-9._-]; [[pages]] can name a file elsewhere below pages/'

function isPageFile(file: FoundFile, report: FolderReport): boolean {
  if (file.path.endsWith(extension)) return true
  report.file(
    file.shown,
    `is not a page: its name does not end in ${extension}; put images below img/, stylesheets, scripts and fonts below assets/, and downloads below files/`,
  )
  return false
}

const stemOf = (name: string): string => name.slice(0, -extension.length)

/** Whether and when visitors see it. */
type Showing = Pick<FolderAsset, 'state' | keyof LiveTimes>

const fromTheStart: Showing = { state: 'live', ...always }

const pageAsset = (slug: string, { shown, file, byteCount }: FoundFile, showing: Showing): FolderAsset => ({
  kind: 'page',
  name: slug,
  shown,
  file,
  byteCount,
  ...showing,
})

function shownBy({ value, place }: PageEntry, clock: WallClock, report: FolderReport): Showing {
  const instantOf = (wall: number | null): number | null => (wall === null ? null : clock.instantOf(wall))
  const { state } = value
  const [liveFrom, liveUntil] = [instantOf(value.live_from), instantOf(value.live_until)]
  for (const key of ['live_from', 'live_until'] as const) {
    if (state === 'preview' && value[key] !== null)
      report.key(place(key), 'never comes, since state = "preview" keeps the page from visitors; remove one of the two')
  }
  if (liveFrom !== null && liveUntil !== null && liveUntil <= liveFrom)
    report.key(place('live_until'), 'must be later than live_from')
  return { state, liveFrom, liveUntil }
}

function namedFile(
  entry: PageEntry,
  { files, suggestions }: { files: ReadonlyMap<string, FoundFile>; suggestions: Suggestions },
  report: FolderReport,
): FoundFile | null {
  const { slug, file } = entry.value
  if (slug === null && file === null) return report.key(entry, 'needs a slug, a file, or both')
  const path = (file ?? `pages/${slug}${extension}`).normalize('NFC').replace(/^\.\//, '')
  const place = entry.place(file === null ? 'slug' : 'file')
  if (path === `pages/${errorPagePath}`) return report.key(place, errorPageFault)
  return files.get(path) ?? report.key(place, `there is no page ${path} in the folder${didYouMean(path, suggestions)}`)
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

/** The contents of one kind. They are live unless their entry says otherwise. */
export function folderContents(
  kind: PathKind,
  { found, entries }: { found: FoundFile[]; entries: AssetEntry[] },
  report: FolderReport,
): FolderAsset[] {
  const top = `${assetKinds[kind].folder}/`
  const assets = new Map<string, FolderAsset>(
    found
      .filter((file) => isServed(kind, file, report))
      .map(({ path, ...file }) => [path, { kind, name: path, ...file, ...fromTheStart }]),
  )
  const suggestions = new Suggestions([...assets.keys()])
  const named = new Map<string, AssetEntry>()
  for (const entry of entries) {
    const name = nameOf(entry, top, assets)
    const asset = assets.get(name)
    const other = named.get(name)
    if (asset === undefined)
      report.key(entry.place('path'), `there is no ${top}${name} in the folder${didYouMean(name, suggestions)}`)
    else if (other !== undefined)
      report.key(entry.place('path'), `"${name}" is already named by ${other.key} (line ${other.line})`)
    else assets.set(name, { ...asset, state: entry.value.state })
    named.set(name, entry)
  }
  return [...assets.values()]
}

function isServed(kind: PathKind, { path, shown }: FoundFile, report: FolderReport): boolean {
  if (assetKinds[kind].mediaType(path) !== null) return true
  report.file(shown, unserved(kind, path))
  return false
}

function unserved(kind: PathKind, path: string): string {
  if (kind === 'image')
    return `cannot be served as an image: its name does not end in any of ${imageExtensions.join(', ')}`
  if (/\.x?html?$/i.test(path)) return 'is HTML, and an asset is no page: put pages below pages/'
  return `cannot be served as an asset: its name does not end in any of ${assetExtensions.join(', ')}; put downloads below files/`
}

/** Paths are relative to the top folder. A path that includes the top folder is accepted too. */
function nameOf(entry: AssetEntry, top: string, assets: Map<string, FolderAsset>): string {
  const path = entry.value.path.normalize('NFC').replace(/^\.\//, '')
  return !assets.has(path) && path.startsWith(top) ? path.slice(top.length) : path
}

/** A suggestion to append to the message that a name is not in the folder. */
function didYouMean(name: string, there: Suggestions): string {
  const meant = there.nearestTo(name)
  return meant === null ? '' : `; did you mean ${meant}?`
}
