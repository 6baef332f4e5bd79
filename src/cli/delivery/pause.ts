import type { DestinationWanted } from '../../operations/delivery/pause-destination.ts'
import { type Command, defineCommand } from '../command.ts'

export const deliveryPause = switching(true, {
  name: 'delivery pause',
  summary: 'Stops sending to a destination; new deliveries wait',
  details: 'Tries that are under way end. --json prints { "account", "destination", "paused" }.',
  text: ({ account, destination }) =>
    `Paused "${destination}": new deliveries wait until \`capture delivery resume ${account} ${destination}\`.`,
})

export const deliveryResume = switching(false, {
  name: 'delivery resume',
  summary: 'Sends to a paused destination again, including what has waited',
  details: `If it was paused because it answered 410 or failed for days, repair the receiver first.
--json prints { "account", "destination", "paused" }.`,
  text: ({ destination }) => `Resumed "${destination}": a running \`capture serve\` sends what waits.`,
})

interface Described extends Pick<Command, 'name' | 'summary' | 'details'> {
  text: (destination: DestinationWanted) => string
}

function switching(paused: boolean, { text, ...described }: Described): Command {
  return defineCommand({
    ...described,
    args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
    async run({ args: { account, name: destination } }, session) {
      const { pauseDestination, resumeDestination } = await import('../../operations/delivery/pause-destination.ts')
      const wanted = { account, destination }
      const { answer } = await session.act(paused ? pauseDestination : resumeDestination, wanted)
      return { json: answer, text: text(wanted) }
    },
  })
}
