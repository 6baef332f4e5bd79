import type { StoredAccount } from '../account/account.ts'
import { matchesTrackingKey } from '../account/tracking-key.ts'
import type { AssetKind } from '../asset/asset.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { accountNamed } from './account-named.ts'
import { assetNamed } from './asset-named.ts'
import { usageError } from './command.ts'
import type { CommandBox } from './open.ts'
import { type PreviewAddresses, previewAddresses } from './preview-address.ts'
import type { Session } from './session.ts'
import { withBox } from './with-box.ts'

const kinds = { page: 'page', img: 'image', file: 'file' } as const satisfies Record<string, AssetKind>

export interface PreviewWanted {
  account: string
  what: keyof typeof kinds | 'test'
  id: string | null
  /** `null`: as long as any preview. */
  ttlMs: number | null
  /** `null`: whichever is current. */
  version: number | null
  /** The tracking key for the test page; `null`: not given. */
  key: string | null
}

export interface Previewed {
  account: string
  kind: PreviewWanted['what']
  id: string | null
  name: string | null
  version: number | null
  url: string
  expiresAt: string
}

/** Signs the address that was asked for. @throws OperatorError when there is no such thing */
export function previewed(wanted: PreviewWanted, session: Session): Promise<Previewed> {
  assertUsage(wanted)
  return withBox(session, async (box, config) => {
    const account = await accountNamed(box.accounts, wanted.account)
    const signing = { accountId: account.id, config, clock: session.clock, signingKeys: box.signingKeys }
    const { ttlMs } = wanted
    const addresses = await previewAddresses({ ...signing, ...(ttlMs === null ? {} : { ttlMs }) })
    const shown =
      wanted.what === 'test'
        ? testPage(account, wanted, { addresses, now: session.clock.now() })
        : await asset(account, { ...wanted, what: wanted.what }, { addresses, box })
    const expiresAt = new Date(addresses.expiresAt).toISOString()
    return { account: account.handle, kind: wanted.what, ...shown, expiresAt }
  })
}

function assertUsage({ what, id, version, key }: PreviewWanted): void {
  if (what !== 'test' && id === null) throw usageError(`Name what to show: capture preview ACCOUNT ${what} ID.`)
  if (what !== 'test' && key !== null) throw usageError('--key is for the test page: capture preview ACCOUNT test.')
  if (what === 'test' && id !== null) throw usageError('An account has one test page: leave out the ID.')
  if (what === 'test' && version !== null) throw usageError('The test page has no versions: leave out --version.')
}

type Shown = Pick<Previewed, 'id' | 'name' | 'version' | 'url'>

function testPage(
  { handle, trackingKeys }: StoredAccount,
  { key }: PreviewWanted,
  { addresses, now }: { addresses: PreviewAddresses; now: number },
): Shown {
  const url = addresses.testPage(handle)
  const page = { id: null, name: null, version: null }
  if (key === null) return { ...page, url }
  if (matchesTrackingKey(key, trackingKeys, now)) return { ...page, url: `${url}#key=${key}` }
  throw new OperatorError(
    `That is no tracking key of ${handle} in force. \`key\` in its site.toml is; \`capture key rotate ${handle}\` mints a new one.`,
  )
}

async function asset(
  account: StoredAccount,
  { what, id, version }: PreviewWanted & { what: keyof typeof kinds },
  { addresses, box }: { addresses: PreviewAddresses; box: CommandBox },
): Promise<Shown> {
  const found = await assetNamed(box.catalogue, account, { kind: kinds[what], text: id ?? '' })
  if (version === null) return { id: found.id, name: found.name, version, url: addresses.of(found) }
  const kept = await box.catalogue.versions(found.id)
  if (!kept.some(({ number }) => number === version)) {
    const numbers = kept.map(({ number }) => number).join(', ')
    throw new OperatorError(`There is no version ${version} of ${found.name}. Kept are: ${numbers}.`)
  }
  return { id: found.id, name: found.name, version, url: addresses.of(found, version) }
}
