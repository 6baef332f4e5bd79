import type { ShownDelivery } from '../../delivery/delivery-control.ts'
import { NotThere } from '../../lib/operator-error.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'

/** One delivery with its exchanges. @throws NotThere when there is no such account or delivery */
export async function showDelivery(
  { accounts, deliveries }: Pick<Box, 'accounts' | 'deliveries'>,
  { account: handle, id }: { account: string; id: string },
): Promise<ShownDelivery> {
  const account = await accountNamed(accounts, handle)
  const found = await deliveries.find(account.id, id)
  if (found !== null) return found
  throw new NotThere(
    `The account "${handle}" has no delivery ${id}. \`capture delivery list ${handle}\` shows the ids.`,
  )
}
