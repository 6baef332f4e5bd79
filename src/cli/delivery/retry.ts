import { plural } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { retryDeliveries } from '../../operations/delivery/retry-deliveries.ts'
import { defineCommand, usageError } from '../command.ts'

export const deliveryRetry = defineCommand({
  name: 'delivery retry',
  summary: 'Tries deliveries again now: one, those of a destination, those that have failed, or all',
  details: `Waiting deliveries become due at once, failed ones wait again, and both get a whole schedule of tries. With an ID,
a delivered one is sent again; its receiver sees the same webhook-id. The running \`serve\` sends it.
--json prints { "account", "retried", "paused": ["…"] }.
  capture delivery retry acme --failed`,
  args: {
    account: { summary: "the account's handle" },
    id: { summary: "the delivery's id (default: all that wait or have failed)", optional: true },
  },
  options: {
    destination: { value: 'NAME', summary: 'only those of this destination' },
    failed: { summary: 'only those that have failed' },
  },
  async run({ args, options }, session) {
    const { account, id: delivery } = args
    const { destination, failed } = options
    if ([delivery !== undefined, destination !== undefined, failed].filter(Boolean).length > 1)
      throw usageError('ID, --destination and --failed exclude each other: give one of them.')
    const { retryDeliveries } = await import('../../operations/delivery/retry-deliveries.ts')
    const { answer, isServed } = await session.act(retryDeliveries, {
      account,
      failed,
      ...(delivery !== undefined && { delivery }),
      ...(destination !== undefined && { destination }),
    })
    return { json: answer, text: sentences(answer, isServed) }
  },
})

function sentences({ account, retried, paused }: AnswerOf<typeof retryDeliveries>, isServed: boolean): string[] {
  const due = retried === 1 ? 'is due now' : 'are due now'
  const lines = [
    retried === 0
      ? `${account}: nothing to try again.`
      : `${account}: ${plural(retried, 'delivery', 'deliveries')} ${due}.`,
  ]
  for (const name of paused)
    lines.push(`"${name}" is paused: \`capture delivery resume ${account} ${name}\` sends what waits.`)
  if (retried > 0 && !isServed) lines.push('No `capture serve` runs on this data folder: it sends them once it does.')
  return lines
}
