import type { StoredAccount } from '../../account/account.ts'
import type { ReservedDomain } from '../../account/domain-claims.ts'
import { type Applied, type ApplyOptions, applySite, type Publishing } from '../../site/apply.ts'
import type { Change } from '../../site/change.ts'
import type { SiteFolder } from '../../site/folder.ts'
import { needsAdmin } from '../../site/needs-admin.ts'
import type { NewReceiver } from '../../site/new-receivers.ts'
import type { LeftBehind, SitePlan } from '../../site/plan.ts'
import type { HereChange } from '../../site/publication-log.ts'
import type { Box } from '../box.ts'
import { type DnsRecords, dnsRecords } from '../domain/dns-records.ts'
import { judgeDomains, type NewDomain, newDomains } from '../domain/judge-domains.ts'
import { judgeDestinations, judgeVerifier } from './judge-addresses.ts'
import { type AssetsByKind, publishedAssets } from './published-assets.ts'
import { type ShorterTerms, shorterTerms } from './shorter-terms.ts'

/** `dir` is absolute: the folder's assets are read from there. */
export interface ApplyWanted
  extends Pick<ApplyOptions, 'dir' | 'dryRun' | 'prune' | 'by' | 'isHere' | 'declared' | 'mayDecideOnData'> {
  /** As `readSiteFolder` read it. */
  folder: SiteFolder
  /**
   * Which names may be connected. `any`: a command on the box, an owner or a token of the box applies the folder. `proven`: a user or
   * a token of the account.
   */
  connects: 'any' | 'proven'
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
  /** Who gets what visitors send, and did not get it before. */
  receivers: NewReceiver[]
  /** Of a dry run: why the caller may not publish it, and who may; `null`: the caller may. */
  notAllowed: string | null
  /** What the box says of it, beside the folder's own warnings. */
  boxWarnings: string[]
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

/** Publishes a site folder completely or not at all. @throws OperatorError that lists every fault; nothing has changed then */
export async function applyFolder(
  box: ApplyingBox,
  { folder: read, dir, connects, ...wanted }: ApplyWanted,
  { onPublished, ...watch }: ApplyWatch,
): Promise<AppliedFolder> {
  const { folder, warnings } = await judgeVerifier(read, box, { dir, by: wanted.by })
  const { handle, settings } = folder
  const { dryRun, mayDecideOnData } = wanted
  const domains = await domainChanges(folder, box)
  const proven = connects === 'any' ? [] : await provenDomains(domains, box)
  const judging = { allowed: connects === 'any' ? connects : proven, dryRun, dir }
  let takenOver = await judgeDomains(folder, box, judging)
  const boxWarnings = [...warnings, ...(await judgeDestinations(folder, box, dir))]
  let shorter: ShorterTerms | null = null
  const dns = dnsRecords(domains.connected, box)
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
      shorter = await shorterTerms(box, { handle, terms: settings.retention, dryRun })
    },
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
    receivers: plan.receivers,
    notAllowed: mayDecideOnData ? null : needsAdmin(plan),
    left: plan.left,
    shorterTerms: shorter,
    boxWarnings: [...boxWarnings, ...(dryRun || plan.changes.length === 0 ? [] : await unlessAdopted(box))],
    dns,
    newDomains: proven,
    takenOver,
    connected: domains.connected,
    dropped: domains.dropped,
    uncollected: applied.uncollected?.message ?? null,
  }
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

/** The service looks for changes every 200 ms; an account of 100,000 pages takes it a second to load. */
const adoptionMsMax = 5000
const lookMs = 10

/** Waits until visitors see what was published. Resolves to a sentence if they do not yet; to none if nobody serves. */
export async function unlessAdopted({
  accounts,
  adoptedRevision,
  clock,
}: Pick<Box, 'accounts' | 'adoptedRevision' | 'clock'>): Promise<string[]> {
  const endMs = clock.monotonicMs() + adoptionMsMax
  for (;;) {
    const seen = adoptedRevision()
    if (seen === null || seen === (await accounts.revision())) return []
    if (clock.monotonicMs() > endMs)
      return [
        `The running service has not taken over what was published after ${adoptionMsMax / 1000} s: see its log, or run \`capture doctor\`.`,
      ]
    await Bun.sleep(lookMs)
  }
}
