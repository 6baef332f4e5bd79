import { createHash } from 'node:crypto'
import type { AccountStore } from '../account/account-store.ts'
import { mintTrackingKey } from '../account/tracking-key.ts'
import type { Asset, AssetVariant } from '../asset/asset.ts'
import type { AssetStore } from '../asset/asset-store.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import { fileMediaType, imageMediaType } from '../asset/media-type.ts'
import { compressedVariants } from '../asset/variants.ts'
import type { Clock } from '../lib/clock.ts'
import { newShortId } from '../lib/id.ts'
import type { SiteFolder } from './folder.ts'
import type { FolderAsset } from './folder-asset.ts'
import { assetPublications, type HashedAsset, planSite, type SitePlan } from './plan.ts'
import { SiteFaults, siteToml } from './site-faults.ts'
import type { SiteStore } from './site-store.ts'

/** What publishing works with. */
export interface Publishing {
  accounts: AccountStore
  catalogue: Catalogue
  sites: SiteStore
  assets: AssetStore
  clock: Clock
  previewHost: string
}

export interface ApplyOptions {
  /** The folder's path as it was named, for messages. */
  dir: string
  dryRun: boolean
  prune: boolean
  /** Told how far a step has come. */
  onProgress: (step: 'reading' | 'storing' | 'publishing', done: number, total: number) => void
}

export interface Applied {
  plan: SitePlan
  /** Everything published afterwards; of a dry run, everything published now. */
  assets: Asset[]
}

/** Files read, compressed or written at once. */
const filesAtOnce = 8

/**
 * Publishes a site folder: plans, puts the bytes into the asset store, and shows everything at once (contract
 * section 1, `apply`). @throws SiteFaults; then nothing has changed.
 */
export async function applySite(folder: SiteFolder, publishing: Publishing, options: ApplyOptions): Promise<Applied> {
  await refuseHeldDomains(folder, publishing, options.dir)
  const hashed = await hashAssets(folder.assets, options)
  if (options.dryRun) return dryRun(folder, hashed, publishing, options)
  return publishing.sites.exclusively(`capture apply (${folder.handle})`, async () => {
    const plan = await planNow(folder, hashed, publishing, options)
    if (plan.changes.length > 0) await publish(plan, publishing, options)
    return { plan, assets: await publishedAssets(folder.handle, publishing) }
  })
}

async function dryRun(
  folder: SiteFolder,
  hashed: HashedAsset[],
  publishing: Publishing,
  options: ApplyOptions,
): Promise<Applied> {
  const plan = await planNow(folder, hashed, publishing, options)
  return { plan, assets: await publishedAssets(folder.handle, publishing) }
}

async function planNow(
  folder: SiteFolder,
  hashed: HashedAsset[],
  { accounts, catalogue }: Publishing,
  { prune }: ApplyOptions,
): Promise<SitePlan> {
  const account = await accounts.find(folder.handle)
  const current = account && { account, assets: await catalogue.assets(account.id) }
  return planSite(folder, hashed, current, { prune, mintFormId: newShortId, mintTrackingKey })
}

async function publishedAssets(handle: string, { accounts, catalogue }: Publishing): Promise<Asset[]> {
  const account = await accounts.find(handle)
  return account ? catalogue.assets(account.id) : []
}

async function publish(plan: SitePlan, publishing: Publishing, options: ApplyOptions): Promise<void> {
  const variants = await storeBytes(plan.staged, publishing.assets, options)
  const { removed: _, ...publication } = plan.publication
  const assets = assetPublications(plan, variants)
  const publishedAt = publishing.clock.now()
  await publishing.sites.publish({ ...publication, assets, publishedAt }, (staged) =>
    options.onProgress('publishing', staged, assets.length),
  )
  await collectUnreferenced(publishing)
}

/** A domain held by another account, or by the preview host, is a fault that names the holder. */
async function refuseHeldDomains(
  folder: SiteFolder,
  { accounts, previewHost }: Publishing,
  dir: string,
): Promise<void> {
  const faults = []
  for (const host of folder.settings.domains) {
    const holder = host === previewHost ? 'the platform preview host' : await accounts.holderOf(host)
    if (holder === null || holder === folder.handle) continue
    const whose = host === previewHost ? `is ${holder}` : `is held by the account "${holder}"`
    faults.push({ file: siteToml, line: null, key: 'domains', message: `${host} ${whose}` })
  }
  if (faults.length > 0) throw new SiteFaults(dir, faults)
}

async function hashAssets(assets: FolderAsset[], { dir, onProgress }: ApplyOptions): Promise<HashedAsset[]> {
  return severalAtOnce(
    assets,
    async (asset) => ({ ...asset, sha256: await readable(asset, () => hashFile(asset.file), dir) }),
    (done) => onProgress('reading', done, assets.length),
  )
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk)
  return hash.digest('hex')
}

/** Puts each asset's bytes and compressed variants into the store; answers the variants by hash. */
async function storeBytes(
  staged: HashedAsset[],
  store: AssetStore,
  { dir, onProgress }: ApplyOptions,
): Promise<Map<string, AssetVariant[]>> {
  const unique = [...new Map(staged.map((asset) => [asset.sha256, asset])).values()]
  const stored = await severalAtOnce(
    unique,
    (asset) => storeAsset(asset, store, dir),
    (done) => onProgress('storing', done, unique.length),
  )
  return new Map(stored)
}

async function storeAsset(asset: HashedAsset, store: AssetStore, dir: string): Promise<[string, AssetVariant[]]> {
  const bytes = await readable(asset, () => Bun.file(asset.file).bytes(), dir)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== asset.sha256) throw new SiteFaults(dir, [changedMeanwhile(asset)])
  await store.put({ sha256, encoding: 'identity' }, bytes)
  const variants: AssetVariant[] = []
  for (const { encoding, bytes: encoded } of await compressedVariants(bytes, mediaTypeOf(asset))) {
    await store.put({ sha256, encoding }, encoded)
    variants.push({ encoding, byteCount: encoded.byteLength })
  }
  return [sha256, variants]
}

/** The folder was walked by whoever typed the command; its files are read as the owner of the data folder. */
async function readable<T>(asset: FolderAsset, read: () => Promise<T>, dir: string): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new SiteFaults(dir, [changedMeanwhile(asset)])
    const hint = code === 'EACCES' ? '; the owner of the data folder has to be able to read it, whoever runs apply' : ''
    throw new SiteFaults(dir, [faultOf(asset, `cannot be read (${code ?? (error as Error).message})${hint}`)])
  }
}

const changedMeanwhile = (asset: FolderAsset) => faultOf(asset, 'changed while it was being published; run apply again')

const faultOf = ({ file }: FolderAsset, message: string) => ({ file, line: null, key: null, message })

function mediaTypeOf({ kind, name }: HashedAsset): string {
  if (kind === 'page') return 'text/html'
  return kind === 'image' ? (imageMediaType(name) ?? 'application/octet-stream') : fileMediaType(name)
}

/** Deletes the bytes that no kept version names any more: of forgotten versions, and of publishes that died. */
export async function collectUnreferenced({ sites, assets, clock }: Publishing): Promise<void> {
  await sites.forgetOldVersions(clock.now())
  for await (const sha256 of assets.list()) {
    if (!(await sites.isReferenced(sha256))) await assets.delete(sha256)
  }
}

async function severalAtOnce<T, R>(
  items: T[],
  work: (item: T) => Promise<R>,
  onDone: (done: number) => void,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  let done = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index] as T)
      onDone(++done)
    }
  }
  await Promise.all(Array.from({ length: filesAtOnce }, worker))
  return results
}
