import type { TestedDestination } from '../../operations/delivery/test-destination.ts'
import { defineCommand } from '../command.ts'
import { printable } from '../output/printable.ts'
import { indented } from './show.ts'

export const deliveryTest = defineCommand({
  name: 'delivery test',
  summary: 'Sends a marked example to a destination now, and prints the HTTP or SMTP exchange',
  details: `The example says that it is one, and its record has "test": true. It is sent once, to a paused destination too, and is
not kept. The exit status is 1 when it was not taken.
--json prints { "account", "destination", "kind", "delivered", "status", "error", "exchange" }.`,
  args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
  async run({ args }, session) {
    const { testDestination, testedJson } = await import('../../operations/delivery/test-destination.ts')
    const tested = await session.withBox((box) => testDestination(box, args), {
      action: 'destination.test',
      account: args.account,
      subject: args.name,
    })
    const exitStatus = tested.attempt.outcome === 'delivered' ? 0 : 1
    return { json: testedJson(tested), text: () => asText(tested), exitStatus }
  },
})

function asText({ name, attempt: { outcome, error, exchange } }: TestedDestination): string {
  const verdict = outcome === 'delivered' ? `"${name}" accepted the example.` : (error ?? `"${name}" did not take it.`)
  return `${exchange === '' ? '' : `${indented(exchange)}\n`}${printable(verdict)}\n`
}
