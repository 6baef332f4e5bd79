import type { SigningKeyStore } from '../account/signing-key-store.ts'
import type { Asset, AssetKind } from '../asset/asset.ts'
import { previewQuery } from '../asset/preview-signature.ts'
import type { Config } from '../config/config.ts'
import { publicBase } from '../config/public-url.ts'
import type { Clock } from '../lib/clock.ts'

const prefixes: Record<AssetKind, string> = { page: '/_preview/', image: '/_preview/img/', file: '/_preview/file/' }
const defaultTtlMs = 60 * 60 * 1000

/** Signs preview addresses of one account. */
export interface PreviewAddresses {
  /** A signed address on the preview host, good for one hour. */
  of(asset: Asset): string
}

export interface PreviewSigning {
  accountId: string
  config: Config
  clock: Clock
  signingKeys: SigningKeyStore
}

export async function previewAddresses({
  accountId,
  config,
  clock,
  signingKeys,
}: PreviewSigning): Promise<PreviewAddresses> {
  const keys = await signingKeys.read()
  const base = publicBase(config, config.server.previewHost)
  return {
    of: ({ id, kind }) => {
      const path = prefixes[kind] + id
      return base + path + previewQuery(path, clock.now() + defaultTtlMs, { accountId, keys })
    },
  }
}
