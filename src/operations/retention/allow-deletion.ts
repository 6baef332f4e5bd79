import { OperatorError } from '../../lib/operator-error.ts'
import type { RetentionWait } from '../../processing/retention-notice.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { clockDoubt } from './retention-words.ts'

/**
 * Lets the deletion of an account that waits go ahead, for one pass; `allowed` is `null` when none waits.
 *
 * @throws OperatorError when there is no account of that handle, or the clock is not believed
 */
export async function allowDeletion(
  { accounts, retention }: Pick<Box, 'accounts' | 'retention'>,
  handle: string,
): Promise<{ account: string; allowed: RetentionWait | null }> {
  const account = await accountNamed(accounts, handle)
  const clock = retention.clock()
  if (!clock.isBelieved) {
    const { found, advice } = clockDoubt(clock)
    throw new OperatorError(`${found} ${advice}`)
  }
  return { account: account.handle, allowed: await retention.allow(account.id) }
}
