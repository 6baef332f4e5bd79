import type { StoredAccount } from '../../account/account.ts'
import type { Publisher } from '../../account/publisher.ts'
import type { Asset, AssetState, AssetVersion } from '../../asset/asset.ts'
import { publicBase } from '../../config/own-hosts.ts'
import { assertKnown, type KnownRevisions } from '../../lib/revision.ts'
import { publicationsKept } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'
import { previewAddresses } from './preview-link.ts'

/** A page in its published state. */
export interface ListedPage extends Pick<AssetVersion, 'publishedAt' | 'publishedBy'> {
  slug: string
  id: string
  state: AssetState
  /** The number of its current version. */
  version: number
  /** The page's address; in preview, a signed address valid for an hour. */
  url: string
}

/** The landing pages of an account. @throws OperatorError when there is no account of that handle */
export async function listPages(
  box: Pick<Box, 'accounts' | 'catalogue' | 'signingKeys' | 'config' | 'clock'>,
  handle: string,
): Promise<{ account: string; pages: ListedPage[] }> {
  const account = await accountNamed(box.accounts, handle)
  const addressOf = await pageAddresses(box, account)
  const assets = await box.catalogue.assets(account.id)
  const pages = assets.flatMap((asset) => {
    const { state, number, publishedAt, publishedBy } = asset.current
    if (asset.kind !== 'page') return []
    return [{ slug: asset.name, id: asset.id, state, version: number, publishedAt, publishedBy, url: addressOf(asset) }]
  })
  return { account: account.handle, pages }
}

interface PageHistory {
  account: string
  slug: string
  id: string
  /** The number of the current version. */
  current: number
  /** The kept versions, latest first. */
  versions: AssetVersion[]
}

/** The kept versions of a page. @throws OperatorError when there is no such account or page */
export async function pageHistory(
  { accounts, catalogue }: Pick<Box, 'accounts' | 'catalogue'>,
  { account: handle, slug }: { account: string; slug: string },
): Promise<PageHistory> {
  const account = await accountNamed(accounts, handle)
  const page = await assetNamed(catalogue, account, { kind: 'page', text: slug })
  const versions = await catalogue.versions(page.id)
  return { account: account.handle, slug: page.name, id: page.id, current: page.current.number, versions }
}

/** A page with everything that there is to know of it. */
export interface DescribedPage {
  slug: string
  id: string
  state: AssetState
  revision: string
  /** The number of its current version. */
  current: number
  /** Its address; in preview, a signed address valid for an hour. */
  url: string
  /** What every preview address begins with. */
  previewBase: string
  /** The kept versions, latest first. */
  versions: DescribedVersion[]
}

export interface DescribedVersion extends AssetVersion {
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
  const versions = (await box.catalogue.versions(page.id)).map((version) => ({
    ...version,
    by: publisherAt.get(version.publishedAt) ?? null,
    previewUrl: previews.of(page, version.number),
  }))
  return {
    slug: page.name,
    id: page.id,
    state: page.current.state,
    revision: pageRevision(page),
    current: page.current.number,
    url: addressOf(page),
    previewBase: previews.base,
    versions,
  }
}

/** A page's address: on the account's first domain if live, else a preview address valid for an hour. */
export async function pageAddresses(
  box: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  account: StoredAccount,
): Promise<(page: Asset) => string> {
  const previews = await previewAddresses(box, account)
  const [host] = account.settings.domains
  return (page) =>
    page.current.state === 'preview' || host === undefined
      ? previews.of(page)
      : `${publicBase(box.config, host)}/${page.name}`
}

type ListedPages = Awaited<ReturnType<typeof listPages>>

/** As `page list --json` and the API show it. */
export const listedPagesJson = ({ account, pages }: ListedPages) => ({
  account,
  pages: pages.map(({ publishedAt, ...page }) => ({
    ...page,
    publishedAt: new Date(publishedAt).toISOString(),
  })),
})

/** As `page history --json` and the API show it. */
export const pageHistoryJson = ({ account, slug, id, current, versions }: PageHistory) => ({
  account,
  slug,
  id,
  versions: versions.map(({ number, state, publishedAt, publishedBy, byteCount, sha256 }) => ({
    version: number,
    current: number === current,
    state,
    publishedAt: new Date(publishedAt).toISOString(),
    publishedBy,
    byteCount,
    sha256,
  })),
})

/** Changes whenever visitors are shown something else, and is never used again, for another page neither. */
export const pageRevision = ({ id, current: { number } }: { id: string; current: Pick<Asset['current'], 'number'> }) =>
  `${id}-${number}`

/** Call within `SiteStore.exclusively`. @throws ChangedMeanwhile */
export const assertPageKnown = (page: Asset, known: KnownRevisions): void =>
  assertKnown(
    known,
    pageRevision(page),
    `Somebody has changed ${page.name}: it is at version ${page.current.number} now. Look at it again.`,
  )
