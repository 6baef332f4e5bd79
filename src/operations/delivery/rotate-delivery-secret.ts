import type { Publisher } from '../../account/publisher.ts'
import { mintWebhookSecret } from '../../account/webhook-secret.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { deliverySubject } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { noteChangeHere } from '../key/note-change-here.ts'
import { destinationNamed } from './destination-named.ts'
import type { DestinationWanted } from './pause-destination.ts'

export interface RotatedDeliverySecret extends DestinationWanted {
  /** To be shown, once. */
  secret: string
  /** Until when the one before signs as well, epoch milliseconds. */
  oldSignsUntil: number
}

/** Makes a new secret for a webhook. @throws OperatorError when there is none of that name */
export async function rotateDeliverySecret(
  box: Pick<Box, 'accounts' | 'deliveries' | 'publications' | 'clock'>,
  { account: handle, name, by }: DestinationWanted & { by: Publisher },
): Promise<RotatedDeliverySecret> {
  const account = await accountNamed(box.accounts, handle)
  const { kind } = destinationNamed(account, name)
  if (kind !== 'webhook')
    throw new OperatorError(`"${name}" is of the kind "${kind}", which has no secret: only webhooks are signed.`)
  const secret = mintWebhookSecret()
  const oldSignsUntil = await box.deliveries.replaceSecret(account.id, name, secret, box.clock.now())
  await noteChangeHere(box, { accountId: account.id, subject: deliverySubject(name), by })
  return { account: handle, name, secret, oldSignsUntil }
}
