import { LocalDays } from '../../lib/local-day.ts'
import type { Box } from '../box.ts'
import type { AccountName, LatestLeads } from './overview-reader.ts'

export interface OverviewAccount extends AccountName, LatestLeads {}

/** The accounts with today's figures, in their order. */
export async function listOverview(
  { overview, clock }: Pick<Box, 'overview' | 'clock'>,
  accounts: readonly AccountName[],
): Promise<OverviewAccount[]> {
  const now = clock.now()
  const days = new LocalDays()
  const asked = accounts.map(({ id, timezone }) => ({ id, today: days.of(now, timezone) }))
  const leads = await overview.latestLeads(asked)
  return accounts.map((account, index) => ({
    ...account,
    ...(leads[index] ?? { today: 0, yesterday: 0, lastAt: null }),
  }))
}
