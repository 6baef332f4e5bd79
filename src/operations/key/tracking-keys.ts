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

/**
 * Revokes every tracking key of an account. Resolves to their number.
 *
 * @throws OperatorError when there is no account of that handle
 */
export async function revokeTrackingKeys(
  box: Pick<Box, 'accounts' | 'publications' | 'clock'>,
  { account: named, by }: { account: string; by: Publisher },
): Promise<{ account: string; revoked: number }> {
  const { id, handle } = await accountNamed(box.accounts, named)
  const revoked = await box.accounts.revokeTrackingKeys(id)
  if (revoked > 0) await noteChangeHere(box, { accountId: id, subject: trackingKeySubject, by })
  return { account: handle, revoked }
}

/** A tracking key that works, without the key itself, which the box does not have. */
export interface ListedTrackingKey {
  /** The first 12 digits of the key's SHA-256 in hex. */
  fingerprint: string
  /** ISO 8601; `null`: until it is replaced. */
  validUntil: string | null
}

const shownDigits = 12

/** The keys in force, latest first. @throws OperatorError when there is no account of that handle */
export async function listTrackingKeys(
  { accounts, clock }: Pick<Box, 'accounts' | 'clock'>,
  named: string,
): Promise<ListedTrackingKey[]> {
  const { trackingKeys } = await accountNamed(accounts, named)
  const now = clock.now()
  return trackingKeys.toReversed().flatMap(({ fingerprint, validUntil }) =>
    fingerprint === null || (validUntil !== null && validUntil <= now)
      ? []
      : [
          {
            fingerprint: fingerprint.slice(0, shownDigits),
            validUntil: validUntil === null ? null : new Date(validUntil).toISOString(),
          },
        ],
  )
}
