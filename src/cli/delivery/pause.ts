import { type Command, defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'

const args = { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } } as const

export const deliveryPause: Command = defineCommand({
  name: 'delivery pause',
  summary: 'Stops sending to a destination; new deliveries wait',
  details: 'Tries that are under way end. --json prints { "account", "destination", "paused" }.',
  args,
  options: {},
  printsResult: true,
  async run({ args: { account, name }, json }, session) {
    const { withBox } = await import('../with-box.ts')
    const { pauseDestination } = await import('../../operations/delivery/pause-destination.ts')
    await withBox(session, (box) => pauseDestination(box, { account, name }), {
      action: 'destination.pause',
      account,
      subject: name,
    })
    const text = `Paused "${name}": what comes waits until \`capture delivery resume ${account} ${name}\`.`
    await session.out.write(json ? toJson({ account, destination: name, paused: true }) : `${printable(text)}\n`)
    return 0
  },
})

export const deliveryResume: Command = defineCommand({
  name: 'delivery resume',
  summary: 'Sends to a paused destination again, what has waited included',
  details: `Also where it was paused because it answered 410, or failed for days: mend that before.
--json prints { "account", "destination", "paused" }.`,
  args,
  options: {},
  printsResult: true,
  async run({ args: { account, name }, json }, session) {
    const { withBox } = await import('../with-box.ts')
    const { resumeDestination } = await import('../../operations/delivery/pause-destination.ts')
    await withBox(session, (box) => resumeDestination(box, { account, name }), {
      action: 'destination.resume',
      account,
      subject: name,
    })
    const text = `Resumed "${name}": a running \`capture serve\` sends what waits.`
    await session.out.write(json ? toJson({ account, destination: name, paused: false }) : `${printable(text)}\n`)
    return 0
  },
})
