import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isChat } from '../account/destination.ts'
import { type Decoding, decodeToml } from '../lib/toml/decode.ts'
import { type StringRange, stringRanges } from '../lib/toml/placed-values.ts'
import { followed, type Walk } from './folder-walk.ts'
import { keptInTheBox } from './kept-folder.ts'
import { siteTomlBytesMax } from './limits.ts'
import { siteToml } from './site-faults.ts'
import { siteSchema, type WrittenSite } from './site-schema.ts'

/** `site.toml` as far as it could be read. */
interface ReadSiteToml extends Decoding<WrittenSite> {
  /** As it is in the file, with a byte order mark where there is one. */
  text: string
}

/** Reads `site.toml`, reports its faults, and returns the valid parts for further checks. */
export async function readSiteToml(walk: Walk): Promise<ReadSiteToml> {
  const text = await textOf(join(walk.dir, siteToml), walk)
  if (text === null) return { text: '', value: null, partial: {}, faults: [], place: (key) => ({ key, line: null }) }
  const decoding = decodeToml(text, siteSchema)
  walk.report.faults.push(...decoding.faults.map(({ line, key, message }) => ({ file: siteToml, line, key, message })))
  return { ...decoding, text }
}

async function textOf(file: string, { dir, report }: Walk): Promise<string | null> {
  const own = await lstat(file).catch(() => null)
  if (own === null) return report.file(siteToml, 'is missing: it names the account and its domains')
  const target = own.isSymbolicLink() ? await followed(file, dir) : { stats: own }
  if ('fault' in target) return report.file(siteToml, target.fault)
  if (!target.stats.isFile()) return report.file(siteToml, 'is not a file')
  if (target.stats.size > siteTomlBytesMax) return report.file(siteToml, `has more than ${siteTomlBytesMax} bytes`)
  const bytes = await readFile(file).catch(() => null)
  if (bytes === null) return report.file(siteToml, 'cannot be read')
  return utf8(bytes) ?? report.file(siteToml, 'is not UTF-8 text')
}

/** The text of a folder's `site.toml`, to be shown beside its faults; empty when it cannot be read. */
export async function shownSiteToml(dir: string): Promise<string> {
  const file = join(dir, siteToml)
  const stats = await lstat(file).catch(() => null)
  if (!stats?.isFile() || stats.size > siteTomlBytesMax) return ''
  return readFile(file, 'utf8').catch(() => '')
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** A valid `site.toml` with `keptInTheBox` in place of each secret, and otherwise unchanged to the byte. */
export function withoutSecrets(text: string): string {
  const strings = stringRanges(text)
  const kinds = new Map(strings.filter(isKindOfDelivery).map(({ path, value }) => [path[1], value]))
  let kept = ''
  let from = 0
  for (const found of strings) {
    if (found.value === '' || !isSecret(found, kinds)) continue
    kept += `${text.slice(from, found.start)}"${keptInTheBox}"`
    from = found.end
  }
  return kept + text.slice(from)
}

type Kinds = ReadonlyMap<string | number | undefined, string>

const isKindOfDelivery = ({ path: [top, , key] }: StringRange): boolean => top === 'deliveries' && key === 'kind'

function isSecret({ path }: StringRange, kinds: Kinds): boolean {
  if (path.join('.') === 'bot_check.secret') return true
  const [top, index, key] = path
  if (top !== 'deliveries' || path.length !== 3) return false
  return key === 'secret' || (key === 'url' && isChat(kinds.get(index) ?? ''))
}
