import { Type } from '@sinclair/typebox'
import type { Publisher } from '../../account/publisher.ts'
import { mintWebhookSecret } from '../../account/webhook-secret.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { text } from '../../lib/schema.ts'
import { deliverySubject } from '../../site/publication-log.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { noteChangeHere } from '../key/note-change-here.ts'
import { destinationNamed } from './destination-named.ts'
import { onDestination } from './pause-destination.ts'

/** `oldSignsUntil`: until when the secret before signs as well. */
export const rotateDeliverySecret = defineAct({
  ...onDestination,
  name: 'destination.secret.rotate',
  text: 'Make a new secret for a webhook and show it once; the old secret also signs for seven days',
  asksAgain: true,
  answer: Type.Object({ account: text, destination: text, secret: text, oldSignsUntil: text }),
  async run(
    box: Pick<Box, 'accounts' | 'deliveries' | 'publications' | 'clock'>,
    { account: handle, destination: name },
    by: Publisher,
  ) {
    const account = await accountNamed(box.accounts, handle)
    const { kind } = destinationNamed(account, name)
    if (kind !== 'webhook')
      throw new OperatorError(`"${name}" is of the kind "${kind}", which has no secret: only webhooks are signed.`)
    const secret = mintWebhookSecret()
    const until = await box.deliveries.replaceSecret(account.id, name, secret, box.clock.now())
    await noteChangeHere(box, { accountId: account.id, subject: deliverySubject(name), by })
    return { answer: { account: handle, destination: name, secret, oldSignsUntil: new Date(until).toISOString() } }
  },
})
