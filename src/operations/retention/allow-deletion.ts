import { OperatorError } from '../../lib/operator-error.ts'
import type { RetentionWait } from '../../processing/retention.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { clockDoubt } from './retention-words.ts'

/**
 * Permits the waiting deletion of an account for one pass; `allowed` is `null` if none waits.
 *
 * @throws OperatorError when there is no account of that handle, or the clock is doubted
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
