import type { StoredAccount } from '../../account/account.ts'
import type { Publisher } from '../../account/publisher.ts'
import {
  type Asset,
  type AssetState,
  type AssetVersion,
  hasTimes,
  isLiveAt,
  type LiveTimes,
} from '../../asset/asset.ts'
import { publicBase } from '../../config/own-hosts.ts'
import { instantOrNull } from '../../lib/instant.ts'
import { WallClock } from '../../lib/local-time.ts'
import { assertKnown, type KnownRevisions, revisionOf } from '../../lib/revision.ts'
import { publicationsKept } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'
import { previewAddresses } from './preview-link.ts'

/** A page in its published state. */
export interface ListedPage extends Showing, Pick<AssetVersion, 'publishedAt' | 'publishedBy'> {
  slug: string
  id: string
  /** The number of its current version. */
  version: number
  /** The page's address; while visitors get 404, a signed address valid for an hour. */
  url: string
}

/** Whether and when visitors see a page. */
interface Showing extends LiveTimes {
  state: AssetState
  /** Whether they see it now, or do not any more. */
  isLive: boolean
  hasEnded: boolean
  /** For people, in the account's time zone: `live until 2026-12-24 18:00`. */
  showing: string
}

/** The landing pages of an account. @throws OperatorError when there is no account of that handle */
export async function listPages(
  box: Pick<Box, 'accounts' | 'catalogue' | 'signingKeys' | 'config' | 'clock'>,
  handle: string,
): Promise<{ account: string; pages: ListedPage[] }> {
  const account = await accountNamed(box.accounts, handle)
  const addressOf = await pageAddresses(box, account)
  const assets = await box.catalogue.assets(account.id)
  const showingOf = showings(box, account)
  const pages = assets.flatMap((asset) => {
    const { number: version, publishedAt, publishedBy } = asset.current
    if (asset.kind !== 'page') return []
    const shown = { ...showingOf(asset.current), publishedAt, publishedBy, url: addressOf(asset) }
    return [{ slug: asset.name, id: asset.id, version, ...shown }]
  })
  return { account: account.handle, pages }
}

interface PageHistory {
  account: string
  slug: string
  id: string
  revision: string
  /** The number of the current version. */
  current: number
  /** The kept versions, latest first. */
  versions: ListedVersion[]
}

/** A version, and when visitors saw or see it. */
export type ListedVersion = AssetVersion & Showing

/** The kept versions of a page. @throws OperatorError when there is no such account or page */
export async function pageHistory(
  box: Pick<Box, 'accounts' | 'catalogue' | 'clock'>,
  { account: handle, slug }: { account: string; slug: string },
): Promise<PageHistory> {
  const { catalogue } = box
  const account = await accountNamed(box.accounts, handle)
  const page = await assetNamed(catalogue, account, { kind: 'page', text: slug })
  const showingOf = showings(box, account)
  const versions = (await catalogue.versions(page.id)).map((version) => ({ ...version, ...showingOf(version) }))
  const revision = await pageRevision(box, account, page)
  return { account: account.handle, slug: page.name, id: page.id, revision, current: page.current.number, versions }
}

/** A page with everything that there is to know of it. */
export interface DescribedPage extends Showing {
  slug: string
  id: string
  revision: string
  /** The number of its current version. */
  current: number
  /** Its address; while visitors get 404, a signed address valid for an hour. */
  url: string
  /** What every preview address begins with. */
  previewBase: string
  /** The kept versions, latest first. */
  versions: DescribedVersion[]
}

export interface DescribedVersion extends ListedVersion {
  /** Who published it; `null`: it is too long ago. */
  by: Publisher | null
  /** A signed address of this very version, valid for an hour. */
  previewUrl: string
}

/** @throws NotThere when there is no such account or page */
export async function describePage(
  box: Pick<Box, 'accounts' | 'catalogue' | 'publications' | 'signingKeys' | 'config' | 'clock'>,
  { account: handle, slug }: { account: string; slug: string },
): Promise<DescribedPage> {
  const account = await accountNamed(box.accounts, handle)
  const page = await assetNamed(box.catalogue, account, { kind: 'page', text: slug })
  const addressOf = await pageAddresses(box, account)
  const previews = await previewAddresses(box, account)
  const published = await box.publications.read(account.id, publicationsKept)
  const publisherAt = new Map(published.map(({ at, by }) => [at, by]))
  const showingOf = showings(box, account)
  const versions = (await box.catalogue.versions(page.id)).map((version) => ({
    ...version,
    ...showingOf(version),
    by: publisherAt.get(version.publishedAt) ?? null,
    previewUrl: previews.of(page, version.number),
  }))
  return {
    slug: page.name,
    id: page.id,
    ...showingOf(page.current),
    revision: await pageRevision(box, account, page),
    current: page.current.number,
    url: addressOf(page),
    previewBase: previews.base,
    versions,
  }
}

function showings({ clock }: Pick<Box, 'clock'>, { settings }: StoredAccount): (version: AssetVersion) => Showing {
  const now = clock.now()
  const wallClock = new WallClock(settings.timezone)
  return (version) => {
    const { state, liveFrom, liveUntil } = version
    const showing = showingText(version, { now, wallClock })
    const hasEnded = state === 'live' && liveUntil !== null && liveUntil <= now
    return { state, liveFrom, liveUntil, isLive: isLiveAt(version, now), hasEnded, showing }
  }
}

function showingText(version: AssetVersion, { now, wallClock }: { now: number; wallClock: WallClock }): string {
  const { state, liveFrom, liveUntil } = version
  if (state === 'preview' || !hasTimes(version)) return state
  if (liveUntil !== null && liveUntil <= now) return `ended ${wallClock.textOf(liveUntil)}`
  const from = liveFrom === null || liveFrom <= now ? '' : ` from ${wallClock.textOf(liveFrom)}`
  return `live${from}${liveUntil === null ? '' : ` until ${wallClock.textOf(liveUntil)}`}`
}

/**
 * The entry of site.toml that keeps the next apply from undoing what was done to a page by hand. Beside a `file`, it has no other
 * lines.
 */
export function siteTomlEntry(slug: string, version: Pick<AssetVersion, 'state' | keyof LiveTimes>, timezone: string) {
  const { state, liveFrom, liveUntil } = version
  const wallClock = new WallClock(timezone)
  const line = (key: string, at: number | null) =>
    at === null || state === 'preview' ? '' : `${key} = "${wallClock.textOf(at)}"\n`
  return `[[pages]]\nslug = "${slug}"\nstate = "${state}"\n${line('live_from', liveFrom)}${line('live_until', liveUntil)}`
}

/** A page's address: on the account's first domain while visitors see it there, else a preview address valid for an hour. */
export async function pageAddresses(
  box: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  account: StoredAccount,
): Promise<(page: Asset) => string> {
  const previews = await previewAddresses(box, account)
  const [host] = account.settings.domains
  const now = box.clock.now()
  return (page) =>
    host === undefined || !isLiveAt(page.current, now)
      ? previews.of(page)
      : `${publicBase(box.config, host)}/${page.name}`
}

type ListedPages = Awaited<ReturnType<typeof listPages>>

/** As `page list --json` and the API show it. */
export const listedPagesJson = ({ account, pages }: ListedPages) => ({
  account,
  pages: pages.map(({ liveFrom, liveUntil, publishedAt, isLive: _, hasEnded: __, showing: ___, ...page }) => ({
    ...page,
    liveFrom: instantOrNull(liveFrom),
    liveUntil: instantOrNull(liveUntil),
    publishedAt: new Date(publishedAt).toISOString(),
  })),
})

/** As `page history --json` and the API show it. */
export const pageHistoryJson = ({ account, slug, id, current, versions }: PageHistory) => ({
  account,
  slug,
  id,
  versions: versions.map(({ number, state, liveFrom, liveUntil, publishedAt, publishedBy, byteCount, sha256 }) => ({
    version: number,
    current: number === current,
    state,
    liveFrom: instantOrNull(liveFrom),
    liveUntil: instantOrNull(liveUntil),
    publishedAt: new Date(publishedAt).toISOString(),
    publishedBy,
    byteCount,
    sha256,
  })),
})

/** Changes whenever visitors are shown something else, and is never used again, for another page neither. Variants count. */
async function pageRevision(
  { catalogue }: Pick<Box, 'catalogue'>,
  { id, settings }: StoredAccount,
  page: Asset,
): Promise<string> {
  const revisionOfOne = ({ id, current }: Asset) => `${id}-${current.number}`
  const split = settings.splits.find((split) => split.page === page.name)
  if (split === undefined) return revisionOfOne(page)
  const pages = (await catalogue.assets(id)).filter(({ kind }) => kind === 'page')
  const ofPages = new Map(pages.map((one) => [one.name, revisionOfOne(one)]))
  const ofVariants = split.variants.map((variant) => `${variant.name}:${ofPages.get(variant.page)}`)
  return revisionOf([revisionOfOne(page), ...ofVariants].join(' '))
}

/** Call within `SiteStore.exclusively`. @throws ChangedMeanwhile */
export async function assertPageKnown(
  box: Pick<Box, 'catalogue'>,
  { account, page, known }: { account: StoredAccount; page: Asset; known: KnownRevisions },
): Promise<void> {
  if (known === null) return
  const message = `Somebody has changed ${page.name} or a variant of it: it is at version ${page.current.number} now. Look at it again.`
  assertKnown(known, await pageRevision(box, account, page), message)
}
