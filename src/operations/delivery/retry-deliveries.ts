import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { destinationNamed } from './destination-named.ts'
import { showDelivery } from './show-delivery.ts'

export interface RetryWanted {
  account: string
  /** At most one of `id`, `destination` and `failedOnly`; none of them: all that wait or have failed. */
  id: string | null
  destination: string | null
  failedOnly: boolean
}

export interface RetriedDeliveries {
  account: string
  retried: number
  /** Destinations that are paused: nothing is sent there until they are resumed. */
  paused: string[]
  /** Whether a service runs: only that sends. */
  isServed: boolean
}

/** Makes deliveries due at once. @throws OperatorError when there is no such account, destination or delivery */
export async function retryDeliveries(
  box: Pick<Box, 'accounts' | 'deliveries' | 'clock' | 'isServed'>,
  { account: handle, id, destination, failedOnly }: RetryWanted,
): Promise<RetriedDeliveries> {
  const { accounts, deliveries, clock } = box
  const account = await accountNamed(accounts, handle)
  const only = id === null ? destination : (await showDelivery(box, { account: handle, id })).destination
  if (destination !== null) destinationNamed(account, destination)
  const some = destination === null ? (failedOnly ? ('failed' as const) : ('all' as const)) : { destination }
  const retried = await deliveries.retry(account.id, id === null ? some : { id }, clock.now())
  const paused = (await deliveries.destinations(account.id))
    .filter(({ pause, destination: { name } }) => pause !== null && (only === null || name === only))
    .map(({ destination: { name } }) => name)
  return { account: handle, retried, paused, isServed: box.isServed() }
}
