import { lstatSync, type Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { assetKinds } from '../asset/asset-kind.ts'
import { assetPathCharactersMax, isPathSegment } from '../asset/asset-name.ts'
import { nearest } from '../lib/suggestion.ts'
import { assetsPerKindMax, folderDepthMax } from './limits.ts'
import { type FolderReport, siteToml } from './site-faults.ts'

export interface FoundFile {
  /** Relative to the top folder, in Unicode form NFC: `brand/hero.png`. */
  path: string
  /** Relative to the site folder as on disk, for messages. */
  shown: string
  /** Absolute. */
  file: string
  byteCount: number
}

export interface Walk {
  /** The site folder, absolute and without links. */
  dir: string
  report: FolderReport
}

/** A file or folder found during the walk. */
interface Met extends Omit<FoundFile, 'byteCount'> {
  stats: Stats
  /** Real paths of its parent folders and of itself, to detect circular links. */
  realPaths: string[]
}

/** Files looked at before others have their turn: about a millisecond. */
const filesPerTurn = 256

/** Every file below one top folder, in order of path. Reads only names and sizes. */
export async function filesBelow(top: string, walk: Walk): Promise<FoundFile[]> {
  const start = await met({ path: '', shown: top, file: join(walk.dir, top) }, [], walk)
  if (start === null) return []
  if (!start.stats.isDirectory()) return walk.report.file(top, 'must be a folder') ?? []
  const found: FoundFile[] = []
  const folders = [start]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of await namesIn(folder, walk.report)) {
      const entry = await met(below(folder, name), folder.realPaths, walk)
      if (entry === null) continue
      if (entry.stats.isDirectory()) folders.push(entry)
      else found.push({ path: entry.path, shown: entry.shown, file: entry.file, byteCount: entry.stats.size })
      if (found.length % filesPerTurn === 0) await setImmediate()
      if (found.length > assetsPerKindMax) {
        return walk.report.file(top, `contains more than ${assetsPerKindMax} files`) ?? found
      }
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const below = (folder: Met, name: string) => ({
  path: folder.path === '' ? name.normalize('NFC') : `${folder.path}/${name.normalize('NFC')}`,
  shown: `${folder.shown}/${name}`,
  file: join(folder.file, name),
})

/** The publishable names of a folder. Lists dotted names as skipped and reports all others. */
async function namesIn(folder: Met, report: FolderReport): Promise<string[]> {
  const names = await readdir(folder.file).catch(() => null)
  if (names === null) return report.file(folder.shown, 'cannot be read') ?? []
  const dotted = names.filter((name) => name.startsWith('.'))
  for (const name of dotted.sort()) report.skipped.push(`${folder.shown}/${name}`)
  const plain = names.filter((name) => !name.startsWith('.')).sort()
  reportTwins(folder, plain, report)
  return plain.filter((name) => isPublishable(folder, name, report))
}

/** On file systems that ignore case or decompose accents (macOS), the two names collide. */
function reportTwins(folder: Met, names: string[], report: FolderReport): void {
  const seen = new Map<string, string>()
  for (const name of names) {
    const folded = name.normalize('NFC').toLowerCase()
    const twin = seen.get(folded)
    if (twin !== undefined) report.file(`${folder.shown}/${name}`, `differs only in case from ${folder.shown}/${twin}`)
    seen.set(folded, name)
  }
}

function isPublishable(folder: Met, name: string, report: FolderReport): boolean {
  const { path, shown } = below(folder, name)
  if (!isPathSegment(name.normalize('NFC'))) {
    report.file(
      shown.replace(/\p{C}/gu, '\uFFFD'),
      "has a name that cannot be published: letters, digits, spaces and ._~!$&'()+,;=@- are possible, without spaces at either end or a dot at the end",
    )
    return false
  }
  if (path.length > assetPathCharactersMax)
    report.file(shown, `has a path of more than ${assetPathCharactersMax} characters`)
  else if (path.split('/').length > folderDepthMax) report.file(shown, `lies more than ${folderDepthMax} folders deep`)
  else return true
  return false
}

async function met(place: Omit<FoundFile, 'byteCount'>, above: string[], walk: Walk): Promise<Met | null> {
  const { report } = walk
  const own = ownStats(place.file)
  if (own === null) return report.file(place.shown, 'cannot be read')
  const target = own.isSymbolicLink()
    ? await followed(place.file, walk.dir)
    : { stats: own, real: realOf(place.file, above) }
  if ('fault' in target) return report.file(place.shown, target.fault)
  const { stats, real } = target
  if (stats.isDirectory() && above.includes(real)) return report.file(place.shown, 'is a link that leads in a circle')
  if (!stats.isDirectory() && !stats.isFile()) return report.file(place.shown, 'is neither a file nor a folder')
  return { ...place, stats, realPaths: [...above, real] }
}

/** Waiting for each of thousands costs twenty times what asking does. */
function ownStats(file: string): Stats | null {
  try {
    return lstatSync(file)
  } catch {
    return null
  }
}

/** The real path of an entry that is not a link. */
const realOf = (file: string, above: string[]): string =>
  above.length === 0 ? file : join(above.at(-1) ?? '', file.slice(file.lastIndexOf('/') + 1))

/** The published folders of a site folder. */
const published: readonly string[] = Object.values(assetKinds).map(({ folder }) => folder)
const publishedText = `${published.slice(0, -1).join('/, ')}/ and ${published.at(-1)}/ are`

/** The published folders that exist. Lists other names as skipped, and warns about other folders. */
export async function publishedTops({ dir, report }: Walk): Promise<Set<string>> {
  const tops = new Set<string>()
  const entries = await readdir(dir, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry
    if (published.includes(name)) tops.add(name)
    else if (name !== siteToml) report.skipped.push(name)
    if (!tops.has(name) && entry.isDirectory() && !name.startsWith('.'))
      report.warnOfFile('unpublished_folder', `${name}/`, unpublished(name))
  }
  return tops
}

function unpublished(name: string): string {
  const meant = slips.get(name.toLowerCase()) ?? nearest(name, published)
  const hint = meant === null ? publishedText : `did you mean ${meant}/?`
  return `is not published; ${hint}`
}

/** Names of these folders in other tools. */
const slips: ReadonlyMap<string, string> = new Map([
  ['image', 'img'],
  ['images', 'img'],
  ['downloads', 'files'],
  ['html', 'pages'],
  ['css', 'assets'],
  ['fonts', 'assets'],
  ['js', 'assets'],
  ['static', 'assets'],
])

/** Resolves a symbolic link, which may lead only to publishable files and folders of the site folder. */
export async function followed(link: string, dir: string): Promise<{ stats: Stats; real: string } | { fault: string }> {
  const real = await realpath(link).catch(() => null)
  if (real === null) return { fault: 'is a link that leads nowhere' }
  const inside = relative(dir, real)
  const steps = inside.split(sep)
  if (inside === '' || steps[0] === '..' || inside.startsWith(sep))
    return { fault: 'is a link that leads out of the folder' }
  if (inside === siteToml || steps.some((step) => step.startsWith('.'))) {
    return { fault: `is a link to ${inside}, which is not published` }
  }
  return { stats: await stat(real), real }
}
