import { defineCommand } from '../command.ts'
import { printable } from '../output/text.ts'

const names = { mail: 'Mail', url: 'The url of [alerts]' }

export const alertTest = defineCommand({
  name: 'alert test',
  summary: 'Sends a test alert to whom [alerts] of capture.toml names, and prints the exchanges',
  details: `Alerts are sent by the running service when something begins to need attention, and when it is over (docs/alerts.md).
The exit status is 1 if one of them was not accepted, or nobody is named.
--json prints { "channels": [{ "channel": "mail"|"url", "delivered", "status", "error", "exchange" }] }.`,
  async run(_, session) {
    const { testAlerts } = await import('../../operations/alert/test-alerts.ts')
    const { answer } = await session.act(testAlerts, {})
    const text = answer.channels.flatMap(({ channel, delivered, error, exchange }) => [
      ...exchange.split('\n').map((line) => `  ${printable(line)}`),
      `${names[channel]}: ${delivered ? 'accepted.' : printable(error ?? 'not accepted.')}`,
    ])
    return { json: answer, text, exitStatus: answer.channels.every(({ delivered }) => delivered) ? 0 : 1 }
  },
})
