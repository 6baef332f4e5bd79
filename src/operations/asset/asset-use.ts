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

/** The names of the pages that lead to an asset, by its id; an unused asset has none. */
type PagesOfAssets = ReadonlyMap<string, readonly string[]>

/** Tells which pages lead to each asset of a site, and remembers it until the site changes: it takes reading the whole site. */
export class AssetUse {
  private readonly known = new RecentMap<PagesOfAssets>(sitesMax)

  constructor(private readonly store: Pick<AssetStore, 'open'>) {}

  /**
   * The pages that name each asset, or name what does. The names of files count, wherever they lie: a script may put addresses
   * together. `null`: nobody knows, since there is too much to search, or bytes are missing.
   */
  async pagesOf(published: readonly Asset[]): Promise<PagesOfAssets | null> {
    const site = revisionOf(
      JSON.stringify(published.map(({ id, kind, name, current }) => [id, kind, name, current.sha256])),
    )
    const known = this.known.get(site)
    if (known !== undefined) return known
    const found = await new Search(published, this.store).pagesOfAssets()
    if (found !== null) this.known.set(site, found)
    return found
  }
}

class Search {
  private readonly assets: readonly { asset: Asset; parts: readonly string[] }[]
  private readonly pages: readonly Asset[]
  /** By the id of what was searched. */
  private readonly named = new Map<string, readonly Asset[]>()
  private leftBytes = searchedBytesMax

  constructor(
    published: readonly Asset[],
    private readonly store: Pick<AssetStore, 'open'>,
  ) {
    this.pages = published.filter(({ kind }) => treatedAs(kind) === 'page')
    this.assets = published.flatMap((asset) =>
      asset.kind === 'asset' ? [{ asset, parts: partsOf(basename(asset.name)) }] : [],
    )
  }

  async pagesOfAssets(): Promise<PagesOfAssets | null> {
    if (this.pages.reduce((sum, { current }) => sum + current.byteCount, 0) > this.leftBytes) return null
    const pagesOf = new Map(this.assets.map(({ asset }): [string, string[]] => [asset.id, []]))
    for (const page of this.pages) {
      const reached = await this.reachedFrom(page)
      if (reached === null) return null
      for (const { id } of reached) pagesOf.get(id)?.push(page.name)
    }
    return pagesOf
  }

  /** The assets that a page names, and those that these name. */
  private async reachedFrom(page: Asset): Promise<ReadonlySet<Asset> | null> {
    const reached = new Set<Asset>()
    const waiting = [page]
    for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
      const named = this.named.get(from.id) ?? (await this.namedIn(from))
      if (named === null) return null
      this.named.set(from.id, named)
      const found = named.filter((asset) => !reached.has(asset))
      for (const asset of found) reached.add(asset)
      waiting.push(...found.filter(({ name }) => naming.test(name)))
    }
    return reached
  }

  private async namedIn({ current: { sha256, byteCount } }: Asset): Promise<readonly Asset[] | null> {
    this.leftBytes -= byteCount
    if (this.leftBytes < 0) return null
    const content = await this.store.open({ sha256, encoding: 'identity' })
    if (content === null) return null
    const words = wordsIn(await content.text())
    return this.assets.flatMap(({ asset, parts }) => (parts.every((part) => words.has(part)) ? [asset] : []))
  }
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
