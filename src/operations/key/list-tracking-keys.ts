import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'

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
