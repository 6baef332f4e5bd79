import type { Publisher } from '../../account/publisher.ts'
import { trackingKeySubject } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { noteChangeHere } from './note-change-here.ts'

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
