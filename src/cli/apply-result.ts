import type { Asset } from '../asset/asset.ts'
import { encodeAssetPath } from '../asset/asset-name.ts'
import type { Config } from '../config/config.ts'
import { publicBase } from '../config/public-url.ts'
import { plural } from '../lib/quantities.ts'
import type { PreviewAddresses } from '../operations/page/preview-address.ts'
import type { Applied } from '../site/apply.ts'
import type { Change } from '../site/change.ts'
import type { SiteFolder } from '../site/folder.ts'
import { printable } from './output/printable.ts'

interface Shown {
  folder: SiteFolder
  addresses: Addresses
  dryRun: boolean
}

/** Exactly the object of contract section 3. What a dry run mints is stored nowhere, and must not be taken for good. */
export function resultOf({ plan, assets }: Applied, { folder, addresses, dryRun }: Shown) {
  const ofKind = (kind: Asset['kind']) => assets.filter((asset) => asset.kind === kind)
  const withPath = (asset: Asset) => ({ path: asset.name, ...addresses.of(asset) })
  return {
    account: folder.handle,
    domains: folder.settings.domains,
    ...(plan.mintedTrackingKey === null || dryRun ? {} : { trackingKey: plan.mintedTrackingKey }),
    forms: plan.forms.map(({ id, name, registered }) => ({
      id: dryRun && plan.mintedFormIds.includes(id) ? null : id,
      name,
      registered,
    })),
    pages: ofKind('page').map((asset) => ({ slug: asset.name, ...addresses.of(asset) })),
    images: ofKind('image').map(withPath),
    files: ofKind('file').map(withPath),
    changes: plan.changes.map(({ action, kind, name }) => ({ action, kind, name })),
  }
}

export class Addresses {
  constructor(
    private readonly folder: SiteFolder,
    private readonly config: Config,
    /** `null`: there is no such account yet (a dry run). */
    private readonly previews: PreviewAddresses | null,
  ) {}

  of(asset: Asset): { id: string; state: Asset['current']['state']; url: string | null } {
    const { state } = asset.current
    return { id: asset.id, state, url: state === 'live' ? this.live(asset) : (this.previews?.of(asset) ?? null) }
  }

  private live({ kind, name }: Asset): string | null {
    const host = this.folder.settings.domains[0]
    if (host === undefined) return null
    const base = publicBase(this.config, host)
    if (kind === 'page') return `${base}/${name}`
    return `${base}/_svc/${kind === 'image' ? 'img' : 'file'}/${encodeAssetPath(name)}`
  }
}

const signs: Record<Change['action'], string> = { create: '+', update: '~', delete: '-' }

export function resultText({ plan }: Applied, result: ReturnType<typeof resultOf>, dryRun: boolean): string {
  if (plan.changes.length === 0) return `${result.account}: nothing to change.\n`
  const lines = plan.changes.map((change) => changeLine(dryRun ? withoutMintedId(change, plan) : change))
  const counted = `${result.account}: ${plural(plan.changes.length, 'change')}${dryRun ? ', none of them made (dry run)' : ' published'}.`
  const key =
    plan.mintedTrackingKey === null || dryRun
      ? []
      : ['', `Tracking key (shown once; it belongs into data-site-key): ${plan.mintedTrackingKey}`]
  const urls = dryRun ? [] : liveAddresses(result)
  return `${[...lines, counted, ...key, ...urls].join('\n')}\n`
}

const withoutMintedId = (change: Change, { mintedFormIds }: Applied['plan']): Change =>
  change.kind === 'form' && mintedFormIds.includes(change.note ?? '') ? { ...change, note: 'gets an id' } : change

const changeLine = ({ action, kind, name, note }: Change) =>
  printable(`  ${signs[action]} ${kind} ${name}${note === null || note === '' ? '' : ` (${note})`}`)

/** As many addresses as help; the rest is what `capture page list` is for. */
const addressesShown = 10

function liveAddresses({ pages }: ReturnType<typeof resultOf>): string[] {
  const live = pages.filter((page) => page.state === 'live' && page.url !== null)
  if (live.length === 0) return []
  const more = live.length > addressesShown ? [`  … and ${live.length - addressesShown} more`] : []
  return ['', ...live.slice(0, addressesShown).map((page) => `  ${page.url}`), ...more]
}
