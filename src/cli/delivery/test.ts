import type { AnswerOf } from '../../operations/act.ts'
import type { testDestination } from '../../operations/delivery/test-destination.ts'
import { defineCommand } from '../command.ts'
import { printable } from '../output/text.ts'
import { indented } from './show.ts'

export const deliveryTest = defineCommand({
  name: 'delivery test',
  summary: 'Sends a marked example to a destination now, and prints the HTTP or SMTP exchange',
  details: `The example says that it is one, and its record has "test": true. It is sent once, to a paused destination too, and is
not kept. The exit status is 1 if the receiver did not accept it.
--json prints { "account", "destination", "kind", "delivered", "status", "error", "exchange" }.`,
  args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
  async run({ args }, session) {
    const { testDestination } = await import('../../operations/delivery/test-destination.ts')
    const { answer } = await session.act(testDestination, { account: args.account, destination: args.name })
    return { json: answer, text: () => asText(answer), exitStatus: answer.delivered ? 0 : 1 }
  },
})

function asText({ destination, delivered, error, exchange }: AnswerOf<typeof testDestination>): string {
  const verdict = delivered ? `"${destination}" accepted the example.` : (error ?? `"${destination}" did not take it.`)
  return `${exchange === '' ? '' : `${indented(exchange)}\n`}${printable(verdict)}\n`
}
