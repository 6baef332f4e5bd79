import type { AccountStore } from '../account/account-store.ts'
import type { Publisher } from '../account/publisher.ts'
import { mintTrackingKey } from '../account/tracking-key.ts'
import { mintWebhookSecret } from '../account/webhook-secret.ts'
import type { Asset } from '../asset/asset.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import { hashAssets, lostHashes, storeAssets } from './asset-bytes.ts'
import { type Collecting, collect } from './collect.ts'
import { withTextDiffs } from './comparison/asset-diffs.ts'
import { findHarm } from './find-harm.ts'
import type { SiteFolder } from './folder.ts'
import { FolderReferences } from './folder-references.ts'
import { type Consent, type Harm, unaccepted } from './harm.ts'
import type { HarmCounts } from './harm-counts.ts'
import type { KeptFolders } from './kept-folder.ts'
import { withKeptSecrets } from './kept-secrets.ts'
import { NeedsAdmin, needsAdmin } from './needs-admin.ts'
import { formReader } from './page-forms.ts'
import { pageWarnings } from './page-warnings.ts'
import { assetPublications, planSite, type SitePlan } from './plan.ts'
import type { HashedAsset } from './plan-assets.ts'
import {
  changedHere,
  isUnknownTo,
  keysMax,
  type PublicationLog,
  type PublicationOrigin,
  publicationsKept,
  subjectsMax,
} from './publication-log.ts'

/** What publishing works with. */
export interface Publishing extends Collecting {
  accounts: AccountStore
  catalogue: Catalogue
  folders: KeptFolders
  publications: PublicationLog
  harmCounts: HarmCounts
}

export interface ApplyOptions {
  /** The folder's path as it was named, for messages. */
  dir: string
  dryRun: boolean
  prune: boolean
  /** What whoever publishes has consented to. */
  accept: Consent
  /** Whether warnings keep the folder from being published. */
  strict: boolean
  by: Publisher
  origin: PublicationOrigin
  /** Whether it may send what visitors enter to new receivers, and delete records sooner. */
  mayDecideOnData: boolean
  /** Hashes of files whose bytes are on another machine, by their absolute paths; of a dry run alone. */
  declared?: ReadonlyMap<string, string> | undefined
  /** Called within the publish lock, before anything is looked at. It may refuse by throwing. */
  onLocked?: (() => Promise<void>) | undefined
  /** Called once the plan is made, may be published, and is about to be. */
  onAllowed?: (() => Promise<void>) | undefined
  /** Called with the progress of a step. */
  onProgress: (step: 'reading' | 'storing' | 'publishing', done: number, total: number) => void
  /** Called once visitors see the new state, which is then final. */
  onPublished?: (plan: SitePlan) => void
}

export interface Applied {
  plan: SitePlan
  /** What the plan takes away from visitors, or loses. */
  harm: Harm[]
  /** `false`: a dry run, or harm that nobody consented to, or warnings where `strict`. Nothing has changed then. */
  isPublished: boolean
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
  const references = new FolderReferences(folder)
  const hashed = await hashAssets(folder.assets, {
    dir,
    declared: options.declared,
    reader: references,
    onDone: (done) => onProgress('reading', done, folder.assets.length),
  })
  const asItIs = async (planned: Planned) => ({
    ...planned,
    isPublished: false,
    assets: await publishedAssets(folder.handle, publishing),
    uncollected: null,
  })
  if (options.dryRun) return asItIs(await planNow({ folder, hashed, references }, publishing, options))
  return publishing.sites.exclusively(`capture apply (${folder.handle})`, async () => {
    await options.onLocked?.()
    await finishRemoval(folder.handle, publishing.accounts)
    const planned = await planNow({ folder, hashed, references }, publishing, options)
    const { plan, harm } = planned
    const why = options.mayDecideOnData ? null : needsAdmin(plan)
    if (why !== null) throw new NeedsAdmin(why, plan.receivers)
    const isDoubted = options.strict && plan.warnings.length > 0
    if (isDoubted || unaccepted(harm, options.accept).length > 0) return asItIs(planned)
    await options.onAllowed?.()
    const uncollected = await publish(plan, publishing, options)
    return { ...planned, isPublished: true, assets: await publishedAssets(folder.handle, publishing), uncollected }
  })
}

/** Finishes an interrupted removal before a new account takes the handle; afterwards it would remove that account. */
async function finishRemoval(handle: string, accounts: AccountStore): Promise<void> {
  if ((await accounts.find(handle)) === null) await accounts.finishRemovals()
}

type Planned = Pick<Applied, 'plan' | 'harm'>

/** A folder whose bytes have been read. */
interface ReadFolder {
  folder: SiteFolder
  hashed: HashedAsset[]
  references: FolderReferences
}

async function planNow(
  { folder, hashed, references }: ReadFolder,
  { accounts, catalogue, folders, publications, assets: store, harmCounts, clock }: Publishing,
  { dir, prune, origin, declared }: Pick<ApplyOptions, 'dir' | 'prune' | 'origin' | 'declared'>,
): Promise<Planned> {
  const account = await accounts.find(folder.handle)
  const assets = account ? await catalogue.assets(account.id) : []
  const current = account && {
    account,
    assets,
    lost: await lostHashes(hashed, assets, store),
    kept: await folders.read(account.id),
    changedHere: changedHere(await publications.read(account.id, publicationsKept), origin),
  }
  const compared = planSite(withKeptSecrets(folder, current, dir), hashed, current, {
    prune,
    mintTrackingKey,
    mintWebhookSecret,
  })
  const plan = { ...compared, warnings: [...compared.warnings, ...pageWarnings(folder, references, compared.left)] }
  if (current === null) return { plan, harm: [] }
  const change = { before: current, folder, hashed, plan, now: clock.now() }
  const formsNamedBy = formReader({ published: assets, store, declared })
  const changes = await withTextDiffs(plan.changes, { staged: plan.staged, published: assets, store, declared })
  return {
    plan: { ...plan, changes },
    harm: await findHarm(change, { counts: harmCounts, formsNamedBy }),
  }
}

async function publishedAssets(handle: string, { accounts, catalogue }: Publishing): Promise<Asset[]> {
  const account = await accounts.find(handle)
  return account ? catalogue.assets(account.id) : []
}

async function publish(plan: SitePlan, publishing: Publishing, options: ApplyOptions): Promise<Error | null> {
  const { dir, by, origin, onProgress } = options
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
    origin,
    subjects: plan.subjects.slice(0, subjectsMax),
    subjectCount: plan.subjects.length,
    ...(plan.keys.length <= keysMax && { keys: plan.keys }),
    ...(receivers.length > 0 && { receivers }),
  }
  await publishing.sites.publish({ ...publication, assets, note, publishedAt }, (staged) =>
    onProgress('publishing', staged, assets.length),
  )
  options.onPublished?.(plan)
  return collect(publishing)
}

/** A folder that agrees with what was changed on the box is noted: it knows of that from now on. */
async function isWorthPublishing(
  { changes, restored, publication }: SitePlan,
  { accounts, publications }: Publishing,
  { origin }: ApplyOptions,
): Promise<boolean> {
  if (changes.length > restored.length || publication.folder !== null) return true
  const account = origin === 'box' ? null : await accounts.find(publication.handle)
  const [latest] = account === null ? [] : await publications.read(account.id, 1)
  return latest !== undefined && isUnknownTo(origin, latest.origin)
}
