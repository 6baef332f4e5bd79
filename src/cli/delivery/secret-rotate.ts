import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

export const deliverySecretRotate = defineCommand({
  name: 'delivery secret rotate',
  summary: 'Makes a new secret for a webhook and prints it, once',
  details: `For 7 days each delivery bears a signature of the new secret and one of the old, so that the receiver can change over.
Applying the site folder does not undo this while it names the same secret as before, or none.
--json prints { "account", "destination", "secret", "oldSignsUntil" }.`,
  args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
  async run({ args }, session) {
    const { rotateDeliverySecret } = await import('../../operations/delivery/rotate-delivery-secret.ts')
    const { answer } = await session.act(rotateDeliverySecret, { account: args.account, destination: args.name })
    const { destination, secret, oldSignsUntil } = answer
    return {
      json: answer,
      text: [
        `Secret of the delivery "${destination}" (shown once; the receiver needs it to verify signatures): ${secret}`,
        `The old secret also signs until ${timestamp(Date.parse(oldSignsUntil))}.`,
      ],
    }
  },
})
