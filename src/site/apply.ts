import type { AccountStore } from '../account/account-store.ts'
import type { Publisher } from '../account/publisher.ts'
import { mintTrackingKey } from '../account/tracking-key.ts'
import { mintWebhookSecret } from '../account/webhook-secret.ts'
import type { Asset } from '../asset/asset.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import { newShortId } from '../lib/id.ts'
import { hashAssets, lostHashes, storeAssets } from './asset-bytes.ts'
import { type Collecting, collect } from './collect.ts'
import type { SiteFolder } from './folder.ts'
import type { KeptFolders } from './kept-folder.ts'
import { withKeptSecrets } from './kept-secrets.ts'
import { NeedsAdmin, needsAdmin } from './needs-admin.ts'
import { assetPublications, planSite, type SitePlan } from './plan.ts'
import type { HashedAsset } from './plan-assets.ts'
import { changedHere, type HereChange, type PublicationLog, publicationsKept, subjectsMax } from './publication-log.ts'

/** What publishing works with. */
export interface Publishing extends Collecting {
  accounts: AccountStore
  catalogue: Catalogue
  folders: KeptFolders
  publications: PublicationLog
}

export interface ApplyOptions {
  /** The folder's path as it was named, for messages. */
  dir: string
  dryRun: boolean
  prune: boolean
  by: Publisher
  /** Whether the folder was made on the box, from the one that it keeps. */
  isHere: boolean
  /** Whether it may send what visitors enter to new receivers, and delete records sooner. */
  mayDecideOnData: boolean
  /** Hashes of files whose bytes are on another machine, by their absolute paths; of a dry run alone. */
  declared?: ReadonlyMap<string, string> | undefined
  /** Called within the publish lock, before anything is looked at. It may refuse by throwing. */
  onLocked?: (() => Promise<void>) | undefined
  /** Called once the plan is made, may be published, and is about to be; in a dry run, about to be returned. */
  onAllowed?: (() => Promise<void>) | undefined
  /** Called before what was changed on the box is replaced. */
  onReplacing?: ((replaced: HereChange[]) => void) | undefined
  /** Called with the progress of a step. */
  onProgress: (step: 'reading' | 'storing' | 'publishing', done: number, total: number) => void
  /** Called once visitors see the new state, which is then final. */
  onPublished?: (plan: SitePlan) => void
}

export interface Applied {
  plan: SitePlan
  /** All assets published afterwards; for a dry run, those published now. */
  assets: Asset[]
  /** Why unreferenced bytes are still in the asset store. The next publish tries again. */
  uncollected: Error | null
}

/**
 * Publishes a site folder: plans, stores the bytes, and makes everything visible at once.
 * @throws SiteFaults, NeedsAdmin; nothing has changed then
 */
export async function applySite(folder: SiteFolder, publishing: Publishing, options: ApplyOptions): Promise<Applied> {
  const { dir, onProgress } = options
  const hashed = await hashAssets(folder.assets, {
    dir,
    declared: options.declared,
    onDone: (done) => onProgress('reading', done, folder.assets.length),
  })
  if (options.dryRun) {
    const plan = await planNow(folder, hashed, publishing, options)
    await options.onAllowed?.()
    return { plan, assets: await publishedAssets(folder.handle, publishing), uncollected: null }
  }
  return publishing.sites.exclusively(`capture apply (${folder.handle})`, async () => {
    await options.onLocked?.()
    await finishRemoval(folder.handle, publishing.accounts)
    const plan = await planNow(folder, hashed, publishing, options)
    const why = options.mayDecideOnData ? null : needsAdmin(plan)
    if (why !== null) throw new NeedsAdmin(why, plan.receivers)
    await options.onAllowed?.()
    if (plan.replaced.length > 0) options.onReplacing?.(plan.replaced)
    const uncollected = await publish(plan, publishing, options)
    return { plan, assets: await publishedAssets(folder.handle, publishing), uncollected }
  })
}

/** Finishes an interrupted removal before a new account takes the handle; afterwards it would remove that account. */
async function finishRemoval(handle: string, accounts: AccountStore): Promise<void> {
  if ((await accounts.find(handle)) === null) await accounts.finishRemovals()
}

async function planNow(
  folder: SiteFolder,
  hashed: HashedAsset[],
  { accounts, catalogue, folders, publications, assets: store }: Publishing,
  { dir, prune }: Pick<ApplyOptions, 'dir' | 'prune'>,
): Promise<SitePlan> {
  const account = await accounts.find(folder.handle)
  const assets = account ? await catalogue.assets(account.id) : []
  const minting = { mintFormId: newShortId, mintTrackingKey, mintWebhookSecret }
  const current = account && {
    account,
    assets,
    lost: await lostHashes(hashed, assets, store),
    kept: await folders.read(account.id),
    changedHere: changedHere(await publications.read(account.id, publicationsKept)),
  }
  return planSite(withKeptSecrets(folder, current, dir), hashed, current, { prune, ...minting })
}

async function publishedAssets(handle: string, { accounts, catalogue }: Publishing): Promise<Asset[]> {
  const account = await accounts.find(handle)
  return account ? catalogue.assets(account.id) : []
}

async function publish(plan: SitePlan, publishing: Publishing, options: ApplyOptions): Promise<Error | null> {
  const { dir, by, isHere, onProgress } = options
  const variants = await storeAssets([...plan.staged, ...plan.restored], publishing.assets, {
    dir,
    onDone: (done, total) => onProgress('storing', done, total),
  })
  if (!(await isWorthPublishing(plan, publishing, options))) return null
  const { removed: _, ...publication } = plan.publication
  const assets = assetPublications(plan, variants)
  const publishedAt = publishing.clock.now()
  const receivers = by.via === 'command' ? [] : plan.receivers.map(({ noted }) => noted)
  const note = {
    by,
    isHere,
    subjects: plan.subjects.slice(0, subjectsMax),
    subjectCount: plan.subjects.length,
    ...(receivers.length > 0 && { receivers }),
  }
  await publishing.sites.publish({ ...publication, assets, note, publishedAt }, (staged) =>
    onProgress('publishing', staged, assets.length),
  )
  options.onPublished?.(plan)
  return collect(publishing)
}

/** A folder from elsewhere that agrees with what was changed on the box is noted: it knows of that from now on. */
async function isWorthPublishing(
  { changes, restored, publication }: SitePlan,
  { accounts, publications }: Publishing,
  { isHere }: ApplyOptions,
): Promise<boolean> {
  if (changes.length > restored.length || publication.folder !== null) return true
  const account = isHere ? null : await accounts.find(publication.handle)
  const [latest] = account === null ? [] : await publications.read(account.id, 1)
  return latest?.isHere ?? false
}
