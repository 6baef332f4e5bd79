import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { destinationNamed } from './destination-named.ts'

export interface DestinationWanted {
  account: string
  name: string
}

/** Nothing more is sent there; new deliveries wait. @throws OperatorError when there is no such account or destination */
export async function pauseDestination(
  { accounts, deliveries, clock }: Pick<Box, 'accounts' | 'deliveries' | 'clock'>,
  { account: handle, name }: DestinationWanted,
): Promise<void> {
  const account = await accountNamed(accounts, handle)
  await deliveries.pause(account.id, destinationNamed(account, name).name, clock.now())
}

/** What waits there is sent. @throws OperatorError when there is no such account or destination */
export async function resumeDestination(
  { accounts, deliveries }: Pick<Box, 'accounts' | 'deliveries'>,
  { account: handle, name }: DestinationWanted,
): Promise<void> {
  const account = await accountNamed(accounts, handle)
  await deliveries.resume(account.id, destinationNamed(account, name).name)
}
