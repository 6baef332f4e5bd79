import { type AccountStore, type AccountSummary, type Revision, UnreadableAccount } from '../account/account-store.ts'
import type { SigningKeyStore, SigningKeys } from '../account/signing-key.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import { compileSite, type LiveSite } from '../asset/live-site.ts'
import { accountPreviewHost } from '../asset/preview-host.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

interface DirectorySources {
  accounts: Pick<AccountStore, 'revision' | 'list' | 'find'>
  catalogue: Pick<Catalogue, 'assets'>
  signingKeys: Pick<SigningKeyStore, 'read'>
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'error'>
}

/** Limits the rounds of one refresh. Each round after the first reads only changes made during the previous one. */
const readingsMax = 20

interface CachedSite {
  changedAt: string
  site: LiveSite
}

/**
 * Caches sites by host, and the signing keys. `refresh` reloads changes; until it has loaded all of them, requests see the old
 * state.
 */
export class SiteDirectory {
  private sites = new Map<string, CachedSite>()
  private index = indexOf([], null)
  private revision: Revision = ''
  /** At which of its changes an account could not be read, so that it is logged once. */
  private readonly unreadable = new Map<string, Revision>()
  private keys: SigningKeys

  private constructor(
    private readonly sources: DirectorySources,
    private readonly previewsBelow: string | null,
    keys: SigningKeys,
  ) {
    this.keys = keys
  }

  /** @param previewsBelow the host below which each account has one for its previews; `null`: they have none */
  static async open(sources: DirectorySources, previewsBelow: string | null = null): Promise<SiteDirectory> {
    const directory = new SiteDirectory(sources, previewsBelow, await sources.signingKeys.read())
    await directory.refresh()
    return directory
  }

  get signingKeys(): SigningKeys {
    return this.keys
  }

  /** The site of a connected domain (lower-case, no port). */
  siteOf(host: string): LiveSite | null {
    return this.index.byHost.get(host) ?? null
  }

  /** The site whose previews have this host (lower-case, no port). */
  previewedAt(host: string): LiveSite | null {
    return this.index.byPreviewHost.get(host) ?? null
  }

  siteOfAsset(assetId: string): LiveSite | null {
    return this.index.byAssetId.get(assetId) ?? null
  }

  siteNamed(handle: string): LiveSite | null {
    return this.index.byHandle.get(handle) ?? null
  }

  /** Every connected domain and every account's host of previews; a new list after any change. */
  get hosts(): readonly string[] {
    return this.index.hosts
  }

  get connectedHosts(): readonly string[] {
    return [...this.index.byHost.keys()]
  }

  handleOf(accountId: string): string | null {
    return this.sites.get(accountId)?.site.account.handle ?? null
  }

  get accountCount(): number {
    return this.sites.size
  }

  get domainCount(): number {
    return this.index.byHost.size
  }

  /** The box's revision that requests see. */
  get adopted(): Revision {
    return this.revision
  }

  async refresh(): Promise<void> {
    let { sites } = this
    for (let readings = 1; ; readings++) {
      const revision = await this.sources.accounts.revision()
      if (revision === this.revision) return
      sites = await this.changedSince(sites)
      const keys = await this.sources.signingKeys.read()
      // An account is read in several steps, and a publish in between may affect only the later ones.
      const isWhole = (await this.sources.accounts.revision()) === revision
      if (!isWhole && readings < readingsMax) continue
      this.keys = keys
      this.sites = sites
      this.index = indexOf(sites.values(), this.previewsBelow)
      this.revision = revision
      return
    }
  }

  private async changedSince(sites: Map<string, CachedSite>): Promise<Map<string, CachedSite>> {
    const now = new Map<string, CachedSite>()
    for (const { id, handle, changedAt } of await this.sources.accounts.list()) {
      const known = sites.get(id)
      const current = known?.changedAt === changedAt ? known : await this.readOr(known, { id, handle, changedAt })
      if (current) now.set(id, current)
    }
    return now
  }

  /**
   * One account that cannot be read takes no other from its visitors. A changed byte may also leave settings of another shape, which
   * are met as a TypeError.
   */
  private async readOr(
    known: CachedSite | undefined,
    { id, handle, changedAt }: Omit<AccountSummary, 'name'>,
  ): Promise<CachedSite | null> {
    try {
      return await this.read(id, handle, changedAt)
    } catch (error) {
      if (!(error instanceof UnreadableAccount || error instanceof TypeError)) throw error
      if (this.unreadable.get(id) !== changedAt) {
        this.sources.log.error(
          `What the box knows of an account cannot be read: ${known ? 'it is served as before' : 'it is not served'}, and all others are. Run capture doctor.`,
          { account: handle },
        )
        this.unreadable.set(id, changedAt)
      }
      return known ?? null
    }
  }

  private async read(accountId: string, handle: string, changedAt: string): Promise<CachedSite | null> {
    const stored = await this.sources.accounts.find(handle)
    if (stored?.id !== accountId) return null
    return { changedAt, site: compileSite(stored, await this.sources.catalogue.assets(accountId), this.sources.clock) }
  }
}

function indexOf(sites: Iterable<CachedSite>, previewsBelow: string | null) {
  const byHost = new Map<string, LiveSite>()
  const byAssetId = new Map<string, LiveSite>()
  const byHandle = new Map<string, LiveSite>()
  const byPreviewHost = new Map<string, LiveSite>()
  for (const { site } of sites) {
    byHandle.set(site.account.handle, site)
    for (const host of site.account.settings.domains) byHost.set(host, site)
    const previewHost = accountPreviewHost(site.account.handle, previewsBelow)
    if (previewHost !== null) byPreviewHost.set(previewHost, site)
    for (const assetId of site.byId.keys()) byAssetId.set(assetId, site)
  }
  const hosts: readonly string[] = [...byHost.keys(), ...byPreviewHost.keys()]
  return { byHost, byAssetId, byHandle, byPreviewHost, hosts }
}
