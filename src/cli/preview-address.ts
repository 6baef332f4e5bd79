import type { SigningKeyStore } from '../account/signing-key.ts'
import type { Asset, AssetKind } from '../asset/asset.ts'
import { signedPreviewQuery } from '../asset/preview-signature.ts'
import type { Config } from '../config/config.ts'
import { publicBase } from '../config/public-url.ts'
import type { Clock } from '../lib/clock.ts'

const prefixes: Record<AssetKind, string> = { page: '/_preview/', image: '/_preview/img/', file: '/_preview/file/' }

/** How long a preview address is good when nobody says otherwise. */
export const previewTtlMs = 60 * 60 * 1000

/** Signs preview addresses of one account. */
export interface PreviewAddresses {
  /** A signed address on the preview host (contract section 4, "Preview"). */
  of(asset: Pick<Asset, 'id' | 'kind'>): string
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
  const base = publicBase(config, config.server.previewHost)
  const expiresAtSeconds = Math.ceil((clock.now() + ttlMs) / 1000)
  return {
    expiresAt: expiresAtSeconds * 1000,
    of: ({ id, kind }) => {
      const path = prefixes[kind] + id
      return `${base}${path}?${signedPreviewQuery({ accountId, path }, expiresAtSeconds, keys)}`
    },
  }
}
