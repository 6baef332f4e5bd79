import type { Config } from '../../config/config.ts'
import { addressSecrets } from '../../delivery/carriers.ts'
import { httpPost } from '../../delivery/http-post.ts'
import { sendMail } from '../../delivery/mail/transport.ts'
import type { Attempt } from '../../delivery/outbox.ts'
import type { Clock } from '../../lib/clock.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { operatorsGuard, systemLookup } from '../../outbound/guard.ts'
import { mailServerOf } from '../delivery/mail-server-of.ts'
import { type AlertMessage, alertMail, alertPost } from './alert-message.ts'
import type { AlertChannel } from './alert-news.ts'

/** Sends one message, once. */
export type SendMessage = (message: AlertMessage) => Promise<Attempt>

const reachedMax = 100

type AlertingConfig = Pick<Config, 'alerts' | 'mail' | 'delivery'>

/** The ways that `[alerts]` names. */
export function alertSenders(
  config: AlertingConfig,
  clock: Pick<Clock, 'now'>,
): Partial<Record<AlertChannel, SendMessage>> {
  const { alerts, delivery } = config
  const server = mailServerOf(config.mail)
  const reached = new RecentMap<true>(reachedMax)
  const mail: SendMessage | null =
    alerts.to.length === 0 || server === null
      ? null
      : (message) => {
          // The same message has the same id, so that a recipient whom a failed try reached does not get it again.
          const id = Bun.SHA256.hash(JSON.stringify(message), 'hex').slice(0, 32)
          return sendMail(alertMail(message, { from: server.from, to: alerts.to, id }), server, { reached })
        }
  const url = alerts.url === null ? null : new URL(alerts.url)
  const http = { guard: operatorsGuard, lookup: systemLookup, ca: delivery.ca, now: clock.now }
  const post: SendMessage | null =
    url === null
      ? null
      : (message) => {
          const headers = { 'Content-Type': 'application/json', 'User-Agent': 'capture' }
          const body = JSON.stringify(alertPost(message, url))
          return httpPost({ url, headers, body, secrets: addressSecrets(url) }, http)
        }
  return { ...(mail !== null && { mail }), ...(post !== null && { url: post }) }
}
