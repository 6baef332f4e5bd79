import { ownHosts } from '../../config/own-hosts.ts'
import { type Applied, type ApplyOptions, applySite } from '../../site/apply.ts'
import type { Change } from '../../site/change.ts'
import type { SiteFolder } from '../../site/folder.ts'
import type { LeftBehind, SitePlan } from '../../site/plan.ts'
import type { Box } from '../box.ts'
import { judgeDestinations } from '../delivery/judge-destinations.ts'
import { type DnsRecords, dnsRecords } from '../domain/dns-records.ts'
import { type AssetsByKind, publishedAssets } from './published-assets.ts'
import { type ShorterTerms, shorterTerms } from './shorter-terms.ts'

export interface ApplyWanted {
  /** As `readSiteFolder` read it. */
  folder: SiteFolder
  /** Where it lies, absolute: its assets are read from there. */
  dir: string
  dryRun: boolean
  prune: boolean
}

export interface ApplyWatch {
  onProgress: ApplyOptions['onProgress']
  /** Called once visitors see what was planned: from then on nothing takes it back. */
  onPublished: (publication: { account: string; hasNewKey: boolean; newSecrets: string[] }) => void
}

/** What an apply did, or a dry run would do. */
export interface AppliedFolder extends AssetsByKind {
  account: string
  domains: string[]
  /** The key that was minted, seen this once; `null`: none, or a dry run. */
  trackingKey: string | null
  /** Secrets of webhooks that were minted, seen this once. */
  deliverySecrets: { name: string; secret: string }[]
  /** `id: null`: a dry run, and the form gets one. */
  forms: { id: string | null; name: string; registered: boolean }[]
  changes: Change[]
  /** What is still on the box though the folder does not hold it. */
  left: LeftBehind[]
  /** What shorter terms of retention make due; `null`: none gets shorter. */
  shorterTerms: ShorterTerms | null
  /** What is to know of its deliveries. */
  deliveryWarnings: string[]
  /** Of domains that are new. */
  dns: DnsRecords[]
  /** Why bytes that nothing names any more still take room; `null`: none do. */
  uncollected: string | null
}

/** Publishes a site folder, all at once or not at all. @throws OperatorError that lists every fault; then nothing has changed */
export async function applyFolder(
  box: Pick<
    Box,
    'accounts' | 'catalogue' | 'sites' | 'assets' | 'retention' | 'signingKeys' | 'config' | 'clock' | 'judgeUrl'
  >,
  { folder, dir, dryRun, prune }: ApplyWanted,
  { onProgress, onPublished }: ApplyWatch,
): Promise<AppliedFolder> {
  const { handle, settings } = folder
  const deliveryWarnings = await judgeDestinations(folder, box, dir)
  const shorter = await shorterTerms(box, { handle, terms: settings.retention, dryRun })
  const dns = dnsRecords(await newDomains(folder, box), box)
  const publishing = { ...box, ownHosts: ownHosts(box.config) }
  const applied = await applySite(folder, publishing, {
    dir,
    dryRun,
    prune,
    onProgress,
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
    left: plan.left,
    shorterTerms: shorter,
    deliveryWarnings,
    dns,
    uncollected: applied.uncollected?.message ?? null,
  }
}

/** Those that the account has not had before. */
async function newDomains({ handle, settings }: SiteFolder, { accounts }: Pick<Box, 'accounts'>): Promise<string[]> {
  const before = (await accounts.find(handle))?.settings.domains ?? []
  return settings.domains.filter((host) => !before.includes(host))
}

/** What a dry run mints is stored nowhere, and must not be taken for good. */
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
