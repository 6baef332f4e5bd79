import type { AccountRetention, RetentionKeeper } from '../../processing/retention.ts'
import type { Box } from '../box.ts'

export interface RetentionState {
  clock: ReturnType<RetentionKeeper['clock']>
  accounts: AccountRetention[]
}

/** The retention terms of each account, and the waiting deletions. */
export const listRetention = async ({ retention }: Pick<Box, 'retention'>): Promise<RetentionState> => ({
  clock: retention.clock(),
  accounts: await retention.accounts(),
})
