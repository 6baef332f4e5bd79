import type { StoredAccount } from '../account/account.ts'
import { trackingKeyFingerprint } from '../account/tracking-key.ts'
import type { Change } from './change.ts'
import type { SiteFolder } from './folder.ts'

interface KeyPlan {
  changes: Change[]
  fingerprint: string | null
  minted: string | null
}

/** Activates the folder's key, unless it is already valid without an end. Without one, a new account gets a generated key. */
export function planKey(
  folder: Pick<SiteFolder, 'trackingKey'>,
  current: Pick<StoredAccount, 'trackingKeys'> | null,
  mint: () => string,
): KeyPlan {
  const known = current?.trackingKeys ?? []
  if (folder.trackingKey !== null) {
    const fingerprint = trackingKeyFingerprint(folder.trackingKey)
    const isInForce = known.some((key) => key.fingerprint === fingerprint && key.validUntil === null)
    if (isInForce) return { changes: [], fingerprint: null, minted: null }
    const action = known.length === 0 ? 'create' : 'update'
    return {
      changes: [{ action, kind: 'key', name: 'tracking key', note: 'from site.toml' }],
      fingerprint,
      minted: null,
    }
  }
  if (current !== null) return { changes: [], fingerprint: null, minted: null }
  const minted = mint()
  const change: Change = { action: 'create', kind: 'key', name: 'tracking key', note: 'minted' }
  return { changes: [change], fingerprint: trackingKeyFingerprint(minted), minted }
}
