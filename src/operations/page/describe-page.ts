import type { Publisher } from '../../account/publisher.ts'
import type { AssetState, AssetVersion } from '../../asset/asset.ts'
import { publicationsKept } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'
import { pageAddresses } from './page-address.ts'
import { pageRevision } from './page-revision.ts'
import { previewAddresses } from './preview-link.ts'

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
