import { mintTrackingKey, trackingKeyFingerprint } from '../../account/tracking-key.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'

export interface RotatedTrackingKey {
  account: string
  /** The only time it is seen: the box keeps its fingerprint. */
  trackingKey: string
  /** Until when the keys before it work, epoch milliseconds; `null`: no longer. */
  oldKeysValidUntil: number | null
  /** What site.toml has to say where it names a key. */
  siteToml: string
}

/**
 * Mints a tracking key for an account; the keys before it work for `overlapMs` more (`null`: not at all).
 *
 * @throws OperatorError when there is no account of that handle
 */
export async function rotateTrackingKey(
  { accounts, clock }: Pick<Box, 'accounts' | 'clock'>,
  { account: handle, overlapMs }: { account: string; overlapMs: number | null },
): Promise<RotatedTrackingKey> {
  const oldKeysValidUntil = overlapMs === null ? null : clock.now() + overlapMs
  const trackingKey = mintTrackingKey()
  const account = await accountNamed(accounts, handle)
  await accounts.addTrackingKey(account.id, trackingKeyFingerprint(trackingKey), oldKeysValidUntil)
  const siteToml = `[tracking]\nkey = "${trackingKey}"\n`
  return { account: account.handle, trackingKey, oldKeysValidUntil, siteToml }
}
