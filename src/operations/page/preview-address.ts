import type { Asset } from '../../asset/asset.ts'
import { previewPath, testPagePath } from '../../asset/preview-path.ts'
import { signedPreviewQuery } from '../../asset/preview-signature.ts'
import { publicBase } from '../../config/public-url.ts'
import type { Box } from '../box.ts'

/** The default lifetime of a preview address. */
export const previewTtlMs = 60 * 60 * 1000

/** Signs preview addresses of one account. */
export interface PreviewAddresses {
  /** A signed address on the preview host (docs/previews.md), by default for the current version at any time. */
  of(asset: Pick<Asset, 'id' | 'kind'>, version?: number): string
  /** The signed address of the account's test page on the host. */
  testPage(handle: string, host?: string): string
  /** When the addresses expire, epoch milliseconds. */
  expiresAt: number
}

/** @param ttlMs the lifetime of the addresses */
export async function previewAddresses(
  { signingKeys, config, clock }: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  accountId: string,
  ttlMs = previewTtlMs,
): Promise<PreviewAddresses> {
  const keys = await signingKeys.read()
  const expiresAtSeconds = Math.ceil((clock.now() + ttlMs) / 1000)
  const { previewHost } = config.server
  const signed = (path: string, version?: number): string =>
    signedPreviewQuery({ accountId, path, ...(version === undefined ? {} : { version }) }, expiresAtSeconds, keys)
  return {
    expiresAt: expiresAtSeconds * 1000,
    of(asset, version) {
      const path = previewPath(asset)
      return `${publicBase(config, previewHost)}${path}?${signed(path, version)}`
    },
    testPage: (handle, host = previewHost) =>
      `${publicBase(config, host)}${testPagePath}?account=${handle}&${signed(testPagePath)}`,
  }
}
