import { isOwnHost, ownHosts } from '../../config/own-hosts.ts'
import { type Applied, type ApplyOptions, applySite, type Publishing } from '../../site/apply.ts'
import type { Change } from '../../site/change.ts'
import type { SiteFolder } from '../../site/folder.ts'
import type { LeftBehind, SitePlan } from '../../site/plan.ts'
import type { HereChange } from '../../site/publication-log.ts'
import type { Box } from '../box.ts'
import { judgeDestinations } from '../delivery/judge-destinations.ts'
import { type DnsRecords, dnsRecords } from '../domain/dns-records.ts'
import { type AssetsByKind, publishedAssets } from './published-assets.ts'
import { type ShorterTerms, shorterTerms } from './shorter-terms.ts'

/** `dir` is absolute: the folder's assets are read from there. */
export interface ApplyWanted extends Pick<ApplyOptions, 'dir' | 'dryRun' | 'prune' | 'by' | 'isHere' | 'declared'> {
  /** As `readSiteFolder` read it. */
  folder: SiteFolder
}

export interface ApplyWatch extends Pick<ApplyOptions, 'onProgress' | 'onLocked' | 'onReplacing'> {
  /** Called when the publication is visible to visitors and can no longer be undone. */
  onPublished: (publication: { account: string; hasNewKey: boolean; newSecrets: string[] }) => void
}

/** What an apply did, or a dry run would do. */
export interface AppliedFolder extends AssetsByKind {
  account: string
  domains: string[]
  /** The new key, shown only this once; `null`: none, or a dry run. */
  trackingKey: string | null
  /** Secrets of webhooks that were minted, seen this once. */
  deliverySecrets: { name: string; secret: string }[]
  /** `id: null`: a dry run of a form that gets a generated id. */
  forms: { id: string | null; name: string; registered: boolean }[]
  changes: Change[]
  /** What was changed on the box since a folder was last applied from elsewhere, and is replaced. */
  replaced: HereChange[]
  /** Content on the box that is no longer in the folder. */
  left: LeftBehind[]
  /** Records that become due by shorter retention terms; `null`: no term gets shorter. */
  shorterTerms: ShorterTerms | null
  /** What is to know of its deliveries. */
  deliveryWarnings: string[]
  /** Records for domains that are new to the account. */
  dns: DnsRecords[]
  /** Why unreferenced bytes could not be deleted; `null`: they were. */
  uncollected: string | null
}

type ApplyingBox = Omit<Publishing, 'ownHosts'> & Pick<Box, 'retention' | 'signingKeys' | 'config' | 'judgeUrl'>

/** Publishes a site folder completely or not at all. @throws OperatorError that lists every fault; nothing has changed then */
export async function applyFolder(
  box: ApplyingBox,
  { folder, dir, ...wanted }: ApplyWanted,
  { onPublished, ...watch }: ApplyWatch,
): Promise<AppliedFolder> {
  const { handle, settings } = folder
  const { dryRun } = wanted
  const deliveryWarnings = await judgeDestinations(folder, box, dir)
  const shorter = await shorterTerms(box, { handle, terms: settings.retention, dryRun })
  const dns = dnsRecords(await newDomains(folder, box), box)
  const publishing = {
    ...box,
    ownHosts: ownHosts(box.config).map((own) => ({ use: own.use, includes: (host: string) => isOwnHost(own, host) })),
  }
  const applied = await applySite(folder, publishing, {
    dir,
    ...wanted,
    ...watch,
    onPublished: ({ publication, mintedTrackingKey, mintedSecrets }) =>
      onPublished({
        account: publication.handle,
        hasNewKey: mintedTrackingKey !== null,
        newSecrets: mintedSecrets.map(({ name }) => name),
      }),
  })
  const { plan, assets } = applied
  const account = await box.accounts.find(handle)
  return {
    account: handle,
    domains: settings.domains,
    ...mintedIn(applied, dryRun),
    ...(await publishedAssets(box, account, { assets, host: settings.domains[0] })),
    replaced: plan.replaced,
    left: plan.left,
    shorterTerms: shorter,
    deliveryWarnings,
    dns,
    uncollected: applied.uncollected?.message ?? null,
  }
}

/** The domains that are new to the account. */
async function newDomains({ handle, settings }: SiteFolder, { accounts }: Pick<Box, 'accounts'>): Promise<string[]> {
  const before = (await accounts.find(handle))?.settings.domains ?? []
  return settings.domains.filter((host) => !before.includes(host))
}

/** Hides ids generated in a dry run: they are not stored, and the real run generates others. */
function mintedIn(
  { plan }: Pick<Applied, 'plan'>,
  dryRun: boolean,
): Pick<AppliedFolder, 'trackingKey' | 'deliverySecrets' | 'forms' | 'changes'> {
  return {
    trackingKey: dryRun ? null : plan.mintedTrackingKey,
    deliverySecrets: dryRun ? [] : plan.mintedSecrets,
    forms: plan.forms.map(({ id, name, registered }) => ({
      id: dryRun && plan.mintedFormIds.includes(id) ? null : id,
      name,
      registered,
    })),
    changes: dryRun ? plan.changes.map((change) => withoutMintedId(change, plan)) : plan.changes,
  }
}

const withoutMintedId = (change: Change, { mintedFormIds }: SitePlan): Change =>
  change.kind === 'form' && mintedFormIds.includes(change.note ?? '') ? { ...change, note: 'gets an id' } : change
