import type { PauseReason } from '../../delivery/delivery-control.ts'
import { accountNamed } from '../account/account-named.ts'
import { type ShownDestination, shownDestination } from '../account/shown-destination.ts'
import type { Box } from '../box.ts'

/** A destination, and how it fares. Instants are ISO 8601. */
export interface ListedDestination extends ShownDestination {
  /** Why nothing is sent there; `null`: it is not paused. */
  pauseReason: PauseReason | null
  pausedAt: string | null
  /** Since when nothing but failure; `null`: its latest attempt succeeded, or there was none. */
  failingSince: string | null
}

/** The destinations of an account in order of their names. @throws OperatorError when there is no such account */
export async function listDestinations(
  { accounts, deliveries }: Pick<Box, 'accounts' | 'deliveries'>,
  account: string,
): Promise<ListedDestination[]> {
  const { id } = await accountNamed(accounts, account)
  return (await deliveries.destinations(id)).map((report) => ({
    ...shownDestination(report),
    pauseReason: report.pause?.reason ?? null,
    pausedAt: report.pause === null ? null : new Date(report.pause.at).toISOString(),
    failingSince: report.failingSince === null ? null : new Date(report.failingSince).toISOString(),
  }))
}
