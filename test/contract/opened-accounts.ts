import type { AccountStore } from '../../src/account/account-store.ts'
import { type Asset, type AssetState, always, type LiveTimes } from '../../src/asset/asset.ts'
import type { AssetKind } from '../../src/asset/asset-kind.ts'
import type { Catalogue } from '../../src/asset/catalogue.ts'
import type { KeptFolders } from '../../src/site/kept-folder.ts'
import type { PublicationLog } from '../../src/site/publication-log.ts'
import type { AssetPublication, SitePublication, SiteStore } from '../../src/site/site-store.ts'
import { account as sampleAccount } from '../cli/sample-account.ts'

/** The stores of one box, as one process opens them. */
export interface AccountStores {
  accounts: AccountStore
  catalogue: Catalogue
  sites: SiteStore
  folders: KeptFolders
  publications: PublicationLog
}

/** A new, empty box. */
export interface OpenedAccounts extends AsyncDisposable {
  here: AccountStores
  /** The same box as another process opens it. */
  elsewhere: AccountStores
  /** Stores a record of the account. */
  capture(accountId: string): Promise<void>
}

/** A publication that creates the account `handle` on `go.<handle>.test`; what a test is about, it overrides. */
export function publication(handle: string, overrides: Partial<SitePublication> = {}): SitePublication {
  return {
    handle,
    settings: { ...sampleAccount().settings, name: handle, domains: [`go.${handle}.test`] },
    forms: [],
    withdrawnForms: [],
    destinations: [],
    removedDestinations: [],
    trackingKeyFingerprint: null,
    assets: [],
    folder: null,
    note: null,
    publishedAt: 1000,
    ...overrides,
  }
}

/** The lower-case hex hash that stands for an asset's bytes in a test. */
export const hashOf = (content: string): string => new Bun.CryptoHasher('sha256').update(content).digest('hex')

export interface AnAsset {
  kind?: AssetKind
  state?: AssetState
  times?: LiveTimes
  publishedBy?: 'apply' | 'hand'
}

/** A page, or something else, with the given content; `null`: removed. */
export const anAsset = (name: string, content: string | null, overrides: AnAsset = {}): AssetPublication => {
  const { kind = 'page', state = 'live', times = always, publishedBy = 'apply' } = overrides
  const byteCount = content?.length ?? 0
  const version =
    content === null ? null : { sha256: hashOf(content), byteCount, variants: [], state, ...times, publishedBy }
  return { kind, name, version }
}

/** Publishes; answers the account's id. */
export async function publish({ accounts, sites }: AccountStores, publication: SitePublication): Promise<string> {
  await sites.exclusively('a test', () => sites.publish(publication, () => {}))
  const published = await accounts.find(publication.handle)
  if (published === null) throw new Error(`${publication.handle} was not published`)
  return published.id
}

/** Publishes assets of an account that there is. */
export const publishAssets = (stores: AccountStores, handle: string, assets: AssetPublication[]): Promise<string> =>
  publish(stores, publication(handle, { settings: null, assets }))

/** Name and hash of everything published. */
export const contents = (assets: Asset[]): Record<string, string> =>
  Object.fromEntries(assets.map(({ name, current }) => [name, current.sha256]))
