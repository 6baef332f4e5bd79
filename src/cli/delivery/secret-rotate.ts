import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { commandPublisher } from '../input/typing-user.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'

export const deliverySecretRotate = defineCommand({
  name: 'delivery secret rotate',
  summary: 'Makes a new secret for a webhook and prints it, once',
  details: `For 7 days each delivery bears a signature of the new secret and one of the old, so that the receiver can change over.
Applying the site folder does not undo this while it names the same secret as before, or none.
--json prints { "account", "destination", "secret", "oldSignsUntil" }.`,
  args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const by = commandPublisher(session)
    const { withBox } = await import('../with-box.ts')
    const { rotateDeliverySecret } = await import('../../operations/delivery/rotate-delivery-secret.ts')
    const { account, name, secret, oldSignsUntil } = await withBox(
      session,
      (box) => rotateDeliverySecret(box, { ...args, by }),
      {
        action: 'destination.secret.rotate',
        account: args.account,
        subject: args.name,
      },
    )
    const until = new Date(oldSignsUntil).toISOString()
    const text = `Secret of the delivery "${name}" (shown once; the receiver needs it to verify signatures): ${secret}\nThe old secret also signs until ${timestamp(oldSignsUntil)}.\n`
    await session.out.write(
      json ? toJson({ account, destination: name, secret, oldSignsUntil: until }) : printable(text, 'lines'),
    )
    return 0
  },
})
