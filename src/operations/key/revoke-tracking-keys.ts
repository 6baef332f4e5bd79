import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'

/**
 * Revokes every tracking key of an account. Resolves to their number.
 *
 * @throws OperatorError when there is no account of that handle
 */
export async function revokeTrackingKeys(
  { accounts }: Pick<Box, 'accounts'>,
  named: string,
): Promise<{ account: string; revoked: number }> {
  const { id, handle } = await accountNamed(accounts, named)
  return { account: handle, revoked: await accounts.revokeTrackingKeys(id) }
}
