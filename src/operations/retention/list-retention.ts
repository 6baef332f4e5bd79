import type { AccountRetention, RetentionKeeper } from '../../processing/retention-keeper.ts'
import type { Box } from '../box.ts'

export interface RetentionState {
  clock: ReturnType<RetentionKeeper['clock']>
  accounts: AccountRetention[]
}

/** How long each account keeps what, and which deletions wait. */
export const listRetention = async ({ retention }: Pick<Box, 'retention'>): Promise<RetentionState> => ({
  clock: retention.clock(),
  accounts: await retention.accounts(),
})
