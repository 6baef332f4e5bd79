import type { Publisher } from '../../account/publisher.ts'
import { mintTrackingKey, trackingKeyFingerprint } from '../../account/tracking-key.ts'
import { trackingKeySubject } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { noteChangeHere } from './note-change-here.ts'

export interface RotatedTrackingKey {
  account: string
  /** Shown only this once: the box keeps a fingerprint. */
  trackingKey: string
  /** When the earlier keys stop working, epoch milliseconds; `null`: at once. */
  oldKeysValidUntil: number | null
  /** The line for site.toml, if it names a key. */
  siteToml: string
}

/** As `key rotate --json` prints it. */
export const rotatedKeyJson = ({ oldKeysValidUntil, ...rotated }: RotatedTrackingKey) => ({
  ...rotated,
  oldKeysValidUntil: oldKeysValidUntil === null ? null : new Date(oldKeysValidUntil).toISOString(),
})

/** The longest time that earlier keys go on working beside a new one. */
export const overlapMsMax = 366 * 86_400_000

/**
 * Makes a new tracking key for an account. The earlier keys work for another `overlapMs` (`null`: they stop at once).
 *
 * @throws OperatorError when there is no account of that handle
 */
export async function rotateTrackingKey(
  box: Pick<Box, 'accounts' | 'publications' | 'clock'>,
  { account: handle, overlapMs, by }: { account: string; overlapMs: number | null; by: Publisher },
): Promise<RotatedTrackingKey> {
  const { accounts, clock } = box
  const oldKeysValidUntil = overlapMs === null ? null : clock.now() + overlapMs
  const trackingKey = mintTrackingKey()
  const account = await accountNamed(accounts, handle)
  await accounts.addTrackingKey(account.id, trackingKeyFingerprint(trackingKey), oldKeysValidUntil)
  await noteChangeHere(box, { accountId: account.id, subject: trackingKeySubject, by })
  const siteToml = `[tracking]\nkey = "${trackingKey}"\n`
  return { account: account.handle, trackingKey, oldKeysValidUntil, siteToml }
}
