import type { StoredAccount } from '../../account/account.ts'
import { matchesTrackingKey } from '../../account/tracking-key.ts'
import type { AssetKind } from '../../asset/asset.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'
import { type PreviewAddresses, previewAddresses } from './preview-address.ts'

export type PreviewWanted = PreviewedAsset | PreviewedTestPage

interface PreviewedAsset {
  kind: AssetKind
  /** The asset's name or short id. */
  name: string
  /** `null`: the current version at any time. */
  version: number | null
}

interface PreviewedTestPage {
  kind: 'test'
  /** The tracking key for the test page; `null`: none. */
  key: string | null
}

export interface PreviewLink {
  /** The handle. */
  account: string
  /** For the test page `id`, `name` and `version` are `null`. */
  id: string | null
  name: string | null
  version: number | null
  url: string
  /** Epoch milliseconds. */
  expiresAt: number
}

type PreviewingBox = Pick<Box, 'accounts' | 'catalogue' | 'signingKeys' | 'config' | 'clock'>

/**
 * Signs a preview address.
 *
 * @throws OperatorError when there is no such account, asset or version, or the key is not the account's
 */
export async function previewLink(
  box: PreviewingBox,
  { account: handle, wanted, ttlMs }: { account: string; wanted: PreviewWanted; ttlMs?: number | undefined },
): Promise<PreviewLink> {
  const account = await accountNamed(box.accounts, handle)
  const addresses = await previewAddresses(box, account, ttlMs)
  const shown =
    wanted.kind === 'test'
      ? testPage(account, wanted, { addresses, now: box.clock.now() })
      : await asset(account, wanted, { addresses, box })
  return { account: account.handle, ...shown, expiresAt: addresses.expiresAt }
}

type Shown = Pick<PreviewLink, 'id' | 'name' | 'version' | 'url'>

function testPage(
  { handle, trackingKeys }: StoredAccount,
  { key }: PreviewedTestPage,
  { addresses, now }: { addresses: PreviewAddresses; now: number },
): Shown {
  const url = addresses.testPage()
  const page = { id: null, name: null, version: null }
  if (key === null) return { ...page, url }
  if (matchesTrackingKey(key, trackingKeys, now)) return { ...page, url: `${url}#key=${key}` }
  throw new OperatorError(
    `That is not a valid tracking key of ${handle}. Its site.toml may have one as \`key\`; \`capture key rotate ${handle}\` makes a new one.`,
  )
}

async function asset(
  account: StoredAccount,
  { kind, name, version }: PreviewedAsset,
  { addresses, box }: { addresses: PreviewAddresses; box: PreviewingBox },
): Promise<Shown> {
  const found = await assetNamed(box.catalogue, account, { kind, text: name })
  if (version === null) return { id: found.id, name: found.name, version, url: addresses.of(found) }
  const kept = await box.catalogue.versions(found.id)
  if (!kept.some(({ number }) => number === version)) {
    const numbers = kept.map(({ number }) => number).join(', ')
    throw new OperatorError(`There is no version ${version} of ${found.name}. These are stored: ${numbers}.`)
  }
  return { id: found.id, name: found.name, version, url: addresses.of(found, version) }
}
