import type { StoredAccount } from '../../account/account.ts'
import type { Asset } from '../../asset/asset.ts'
import { accountPreviewHost } from '../../asset/preview-host.ts'
import { previewPath, testPagePath } from '../../asset/preview-path.ts'
import { signedPreviewQuery } from '../../asset/preview-signature.ts'
import { previewsBelow, publicBase } from '../../config/own-hosts.ts'
import type { Box } from '../box.ts'

/** The default lifetime of a preview address. */
export const previewTtlMs = 60 * 60 * 1000

/** Signs preview addresses of one account. */
export interface PreviewAddresses {
  /** How the address of each page, image and file begins. */
  base: string
  /** A signed address on the account's preview host (docs/previews.md), by default for the current version at any time. */
  of(asset: Pick<Asset, 'id' | 'kind'>, version?: number): string
  /** The signed address of the account's test page on the host, by default that of all previews. */
  testPage(host?: string): string
  /** When the addresses expire, epoch milliseconds. */
  expiresAt: number
}

/** @param ttlMs the lifetime of the addresses */
export async function previewAddresses(
  { signingKeys, config, clock }: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  { id: accountId, handle }: Pick<StoredAccount, 'id' | 'handle'>,
  ttlMs = previewTtlMs,
): Promise<PreviewAddresses> {
  const keys = await signingKeys.read()
  const expiresAtSeconds = Math.ceil((clock.now() + ttlMs) / 1000)
  const { previewHost } = config.server
  const base = publicBase(config, accountPreviewHost(handle, previewsBelow(config)) ?? previewHost)
  const signed = (path: string, version?: number): string =>
    signedPreviewQuery({ accountId, path, ...(version === undefined ? {} : { version }) }, expiresAtSeconds, keys)
  return {
    base,
    expiresAt: expiresAtSeconds * 1000,
    of(asset, version) {
      const path = previewPath(asset)
      return `${base}${path}?${signed(path, version)}`
    },
    testPage: (host = previewHost) =>
      `${publicBase(config, host)}${testPagePath}?account=${handle}&${signed(testPagePath)}`,
  }
}
