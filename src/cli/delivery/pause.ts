import type { DestinationWanted } from '../../operations/delivery/pause-destination.ts'
import { type Command, defineCommand } from '../command.ts'

export const deliveryPause = switching(true, {
  name: 'delivery pause',
  summary: 'Stops sending to a destination; new deliveries wait',
  details: 'Tries that are under way end. --json prints { "account", "destination", "paused" }.',
  text: ({ account, name }) =>
    `Paused "${name}": new deliveries wait until \`capture delivery resume ${account} ${name}\`.`,
})

export const deliveryResume = switching(false, {
  name: 'delivery resume',
  summary: 'Sends to a paused destination again, what has waited included',
  details: `Also where it was paused because it answered 410, or failed for days: put that right first.
--json prints { "account", "destination", "paused" }.`,
  text: ({ name }) => `Resumed "${name}": a running \`capture serve\` sends what waits.`,
})

interface Described extends Pick<Command, 'name' | 'summary' | 'details'> {
  text: (destination: DestinationWanted) => string
}

function switching(paused: boolean, { text, ...described }: Described): Command {
  return defineCommand({
    ...described,
    args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
    async run({ args }, session) {
      const { account, name } = args
      const { pauseDestination, resumeDestination } = await import('../../operations/delivery/pause-destination.ts')
      const act = { action: paused ? ('destination.pause' as const) : ('destination.resume' as const), account }
      const change = paused ? pauseDestination : resumeDestination
      await session.withBox((box) => change(box, args), { ...act, subject: name })
      return { json: { account, destination: name, paused }, text: text(args) }
    },
  })
}
