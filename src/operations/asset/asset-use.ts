import { basename } from 'node:path/posix'
import type { Asset } from '../../asset/asset.ts'
import { treatedAs } from '../../asset/asset-kind.ts'
import type { AssetStore } from '../../asset/asset-store.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { revisionOf } from '../../lib/revision.ts'

/** Bytes of pages, stylesheets and scripts that are searched for names, together. */
const searchedBytesMax = 16_777_216

/** Assets that name others. */
const naming = /\.(?:css|m?js|json|svg|xml|webmanifest)$/i

/** What stands between the parts of text that names are made of. */
const between = /[^\p{L}\p{M}\p{N}._~@$%-]+/u

/** Sites of which it is remembered what is unused. */
const sitesMax = 100

/** Tells which assets of a site are unused, and remembers it until the site changes: it takes reading the whole site. */
export class AssetUse {
  private readonly known = new RecentMap<ReadonlySet<string>>(sitesMax)

  constructor(private readonly store: Pick<AssetStore, 'open'>) {}

  /**
   * The ids of the assets that no page names, nor anything that a page names. The names of files count, wherever they lie: a
   * script may put addresses together. `null`: nobody knows, since there is too much to search, or bytes are missing.
   */
  async unused(published: readonly Asset[]): Promise<ReadonlySet<string> | null> {
    const site = revisionOf(
      JSON.stringify(published.map(({ id, kind, name, current }) => [id, kind, name, current.sha256])),
    )
    const known = this.known.get(site)
    if (known !== undefined) return known
    const found = await unusedAssets(published, this.store)
    if (found !== null) this.known.set(site, found)
    return found
  }
}

async function unusedAssets(
  published: readonly Asset[],
  store: Pick<AssetStore, 'open'>,
): Promise<ReadonlySet<string> | null> {
  const assets = published.filter(({ kind }) => kind === 'asset')
  const unused = new Map(assets.map((asset) => [asset, partsOf(basename(asset.name))]))
  const waiting = published.filter(({ kind }) => treatedAs(kind) === 'page')
  let leftBytes = searchedBytesMax
  if (waiting.reduce((sum, { current }) => sum + current.byteCount, 0) > leftBytes) return null
  for (let searched = waiting.pop(); searched !== undefined && unused.size > 0; searched = waiting.pop()) {
    const { sha256, byteCount } = searched.current
    leftBytes -= byteCount
    if (leftBytes < 0) return null
    const content = await store.open({ sha256, encoding: 'identity' })
    if (content === null) return null
    const words = wordsIn(await content.text())
    for (const [asset, parts] of unused) {
      if (!parts.every((part) => words.has(part))) continue
      unused.delete(asset)
      if (naming.test(asset.name)) waiting.push(asset)
    }
  }
  return new Set([...unused.keys()].map(({ id }) => id))
}

const partsOf = (text: string): string[] => text.split(between).filter((part) => part !== '')

function wordsIn(text: string): ReadonlySet<string> {
  const words = new Set(partsOf(text.normalize('NFC')))
  for (const word of words)
    if (word.includes('%')) for (const part of partsOf(decoded(word).normalize('NFC'))) words.add(part)
  return words
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return ''
  }
}
