import { Type } from '@sinclair/typebox'
import { boxAddress } from '../../config/own-hosts.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { count, flag, oneOf, orNull, text, textOrNull } from '../../lib/schema.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { testMessage } from './alert-message.ts'
import { alertChannels } from './alert-news.ts'

/** Sends a test by each way that `[alerts]` names. What needs attention is not part of it. */
export const testAlerts = defineAct({
  name: 'alert.test',
  text: 'Send a test alert by each way that [alerts] of capture.toml names, and read the exchange',
  of: 'box',
  scope: 'admin',
  input: Type.Object({}),
  answer: Type.Object({
    channels: Type.Array(
      Type.Object({
        channel: oneOf(alertChannels),
        delivered: flag,
        status: orNull(count),
        error: textOrNull,
        exchange: text,
      }),
    ),
  }),
  async run({ config, clock }: Pick<Box, 'config' | 'clock'>) {
    // Mail and sockets, which hardly anything else of the console needs.
    const { alertSenders } = await import('./alert-channels.ts')
    const senders = alertSenders(config, clock)
    const named = alertChannels.filter((channel) => senders[channel] !== undefined)
    if (named.length === 0)
      throw new OperatorError('Nobody is told: set to or url below [alerts] in capture.toml, and restart the service.')
    const message = testMessage(boxAddress(config), clock.now())
    const channels = await Promise.all(
      named.map(async (channel) => {
        const sent = await senders[channel]?.(message)
        const { outcome, status = null, error = null, exchange = '' } = sent ?? {}
        return { channel, delivered: outcome === 'delivered', status, error, exchange }
      }),
    )
    return { answer: { channels }, subject: named.join(' ') }
  },
})
