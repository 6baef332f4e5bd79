import type { SigningKeyStore } from '../account/signing-key.ts'
import type { Asset } from '../asset/asset.ts'
import { previewPath, testPagePath } from '../asset/preview-path.ts'
import { signedPreviewQuery } from '../asset/preview-signature.ts'
import type { Config } from '../config/config.ts'
import { publicBase } from '../config/public-url.ts'
import type { Clock } from '../lib/clock.ts'

/** How long a preview address is good when nobody says otherwise. */
export const previewTtlMs = 60 * 60 * 1000

/** Signs preview addresses of one account. */
export interface PreviewAddresses {
  /** A signed address on the preview host (contract section 4, "Preview"), of that version or of whichever is current. */
  of(asset: Pick<Asset, 'id' | 'kind'>, version?: number): string
  /** The signed address of the account's test page on the host. */
  testPage(handle: string, host?: string): string
  /** When those addresses stop working, epoch milliseconds. */
  expiresAt: number
}

export interface PreviewSigning {
  accountId: string
  config: Config
  clock: Clock
  signingKeys: Pick<SigningKeyStore, 'read'>
  ttlMs?: number
}

export async function previewAddresses(signing: PreviewSigning): Promise<PreviewAddresses> {
  const { accountId, config, clock, signingKeys, ttlMs = previewTtlMs } = signing
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
