import type { StoredAccount } from '../../account/account.ts'
import type { ReservedDomain } from '../../account/domain-claims.ts'
import type { Form } from '../../account/form.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { type ApplyOptions, applySite, type Publishing } from '../../site/apply.ts'
import { doubtfulImages } from '../../site/asset-bytes.ts'
import type { Change } from '../../site/change.ts'
import type { SiteFolder } from '../../site/folder.ts'
import type { Harm } from '../../site/harm.ts'
import { needsAdmin } from '../../site/needs-admin.ts'
import type { NewReceiver } from '../../site/new-receivers.ts'
import type { LeftBehind } from '../../site/plan.ts'
import type { HereChange } from '../../site/publication-log.ts'
import type { SiteWarning } from '../../site/site-faults.ts'
import type { Box } from '../box.ts'
import { type DnsRecords, dnsRecords } from '../domain/dns-records.ts'
import { judgeDomains, type NewDomain, newDomains } from '../domain/judge-domains.ts'
import { judgeDestinations, judgeSender, judgeVerifier } from './judge-addresses.ts'
import { type AssetsByKind, publishedAssets } from './published-assets.ts'
import { type ShorterTerms, shorterTerms } from './shorter-terms.ts'

/** `dir` is absolute: the folder's assets are read from there. */
export interface ApplyWanted
  extends Pick<
    ApplyOptions,
    'dir' | 'dryRun' | 'prune' | 'accept' | 'strict' | 'by' | 'origin' | 'declared' | 'mayDecideOnData'
  > {
  /** As `readSiteFolder` read it. */
  folder: SiteFolder
  /**
   * Which names may be connected. `any`: a command on the box, an owner or a token of the box applies the folder. `proven`: a user or
   * a token of the account.
   */
  connects: 'any' | 'proven'
}

export interface ApplyWatch extends Pick<ApplyOptions, 'onProgress' | 'onLocked'> {
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
  forms: Pick<Form, 'id' | 'name' | 'registered'>[]
  changes: Change[]
  /** What it takes away from visitors, or loses. */
  harm: Harm[]
  /** What is probably a mistake in the folder. */
  warnings: SiteWarning[]
  /** Names in the folder that are not published. */
  skipped: string[]
  /** What was changed on the box since a folder was last applied from elsewhere, and is replaced. */
  replaced: HereChange[]
  /** Content on the box that is no longer in the folder. */
  left: LeftBehind[]
  /** Records that become due by shorter retention terms; `null`: no term gets shorter. */
  shorterTerms: ShorterTerms | null
  /** Who gets what visitors send, and did not get it before. */
  receivers: NewReceiver[]
  /** Of a dry run: why the caller may not publish it, and who may; `null`: the caller may. */
  notAllowed: string | null
  /** Why visitors may not see it yet; `null`: they do, or nobody serves. */
  notAdopted: string | null
  /** Records for domains that are new to the account. */
  dns: DnsRecords[]
  /** Whether domains that are new to the account may be connected; empty where any may. */
  newDomains: NewDomain[]
  /** New domains that were, or would be, taken from the reservation of another account. */
  takenOver: Pick<ReservedDomain, 'host' | 'handle' | 'droppedAt'>[]
  /** Domains that are new to the account. */
  connected: string[]
  /** Domains that the account no longer has. */
  dropped: string[]
  /** Why unreferenced bytes could not be deleted; `null`: they were. */
  uncollected: string | null
}

type ApplyingBox = Publishing &
  Pick<
    Box,
    'accounts' | 'clock' | 'adoptedRevision' | 'retention' | 'signingKeys' | 'config' | 'judgeUrl' | 'domainClaims'
  >

/** Nothing was published: harm needs consent, or warnings stand against it. */
export class NotPublished extends OperatorError {
  constructor(
    readonly why: 'harm' | 'warnings',
    /** What would have been published. */
    readonly planned: AppliedFolder,
  ) {
    super(`${reasons[why]} Nothing was changed.`, why === 'harm' ? 3 : 1)
  }
}

const reasons = {
  harm: 'This takes something away from visitors, or loses data, and nobody has consented to that.',
  warnings: 'The folder has warnings.',
} as const

/**
 * Publishes a site folder completely or not at all.
 * @throws OperatorError that lists every fault; NotPublished. Nothing has changed then
 */
export async function applyFolder(
  box: ApplyingBox,
  { folder: read, dir, connects, ...wanted }: ApplyWanted,
  { onPublished, ...watch }: ApplyWatch,
): Promise<AppliedFolder> {
  judgeSender(read, box, dir)
  const { folder: judged, warnings } = await judgeVerifier(read, box, { dir, by: wanted.by })
  const folder = {
    ...judged,
    warnings: [...judged.warnings, ...warnings, ...(await doubts(judged, box, { dir, declared: wanted.declared }))],
  }
  const { handle, settings } = folder
  const { dryRun, strict, mayDecideOnData } = wanted
  const domains = await domainChanges(folder, box)
  const proven = connects === 'any' ? [] : await provenDomains(domains, box)
  const judging = { allowed: connects === 'any' ? connects : proven, dryRun, dir }
  let takenOver = await judgeDomains(folder, box, judging)
  let shorter: ShorterTerms | null = null
  const dns = dnsRecords(domains.connected, box)
  const terms = { handle, terms: settings.retention }
  const applied = await applySite(folder, box, {
    dir,
    ...wanted,
    ...watch,
    async onLocked() {
      await watch.onLocked?.()
      // Somebody may have connected, or let go, a name meanwhile.
      takenOver = await judgeDomains(folder, box, judging)
    },
    async onAllowed() {
      shorter = await shorterTerms(box, { ...terms, isAnnounced: true })
    },
    onPublished: ({ publication, mintedTrackingKey, mintedSecrets }) =>
      onPublished({
        account: publication.handle,
        hasNewKey: mintedTrackingKey !== null,
        newSecrets: mintedSecrets.map(({ name }) => name),
      }),
  })
  const { plan, assets, isPublished } = applied
  const account = await box.accounts.find(handle)
  const result: AppliedFolder = {
    account: handle,
    domains: settings.domains,
    trackingKey: isPublished ? plan.mintedTrackingKey : null,
    deliverySecrets: isPublished ? plan.mintedSecrets : [],
    forms: folder.forms.map(({ id, name, registered }) => ({ id, name, registered })),
    changes: plan.changes,
    ...(await publishedAssets(box, account, { assets, host: settings.domains[0] })),
    harm: applied.harm,
    warnings: plan.warnings,
    skipped: folder.skipped,
    replaced: plan.replaced,
    receivers: plan.receivers,
    notAllowed: mayDecideOnData ? null : needsAdmin(plan),
    left: plan.left,
    shorterTerms: isPublished ? shorter : await shorterTerms(box, { ...terms, isAnnounced: false }),
    notAdopted: isPublished && plan.changes.length > 0 ? await unlessAdopted(box) : null,
    dns,
    newDomains: proven,
    takenOver,
    connected: domains.connected,
    dropped: domains.dropped,
    uncollected: applied.uncollected?.message ?? null,
  }
  if (isPublished || dryRun) return result
  throw new NotPublished(strict && plan.warnings.length > 0 ? 'warnings' : 'harm', result)
}

/** Warnings about addresses and the bytes of images. @throws SiteFaults */
async function doubts(
  folder: SiteFolder,
  box: ApplyingBox,
  { dir, declared }: Pick<ApplyWanted, 'dir' | 'declared'>,
): Promise<SiteWarning[]> {
  const here = folder.assets.filter(({ file }) => declared?.has(file) !== true)
  return [...(await judgeDestinations(folder, box, dir)), ...(await doubtfulImages(here))]
}

interface DomainChanges {
  /** `null`: a new one. */
  account: StoredAccount | null
  /** New to the account. */
  connected: string[]
  dropped: string[]
}

async function domainChanges(
  { handle, settings }: SiteFolder,
  { accounts }: Pick<Box, 'accounts'>,
): Promise<DomainChanges> {
  const account = await accounts.find(handle)
  const before = account?.settings.domains ?? []
  return {
    account,
    connected: settings.domains.filter((host) => !before.includes(host)),
    dropped: before.filter((host) => !settings.domains.includes(host)),
  }
}

/** Only those who may connect any name make an account. */
const provenDomains = async ({ account, connected }: DomainChanges, box: ApplyingBox): Promise<NewDomain[]> =>
  account === null ? [] : newDomains(connected, account, box)

/** The service looks for changes every 200 ms; an account of 100,000 pages takes it a second to load. */
const adoptionMsMax = 5000
const lookMs = 10

/** Waits until visitors see what was published. Resolves to a sentence if they do not yet; `null`: they do, or nobody serves. */
export async function unlessAdopted({
  accounts,
  adoptedRevision,
  clock,
}: Pick<Box, 'accounts' | 'adoptedRevision' | 'clock'>): Promise<string | null> {
  const endMs = clock.monotonicMs() + adoptionMsMax
  for (;;) {
    const seen = adoptedRevision()
    if (seen === null || seen === (await accounts.revision())) return null
    if (clock.monotonicMs() > endMs)
      return `The running service has not taken over what was published after ${adoptionMsMax / 1000} s: see its log, or run \`capture doctor\`.`
    await Bun.sleep(lookMs)
  }
}
