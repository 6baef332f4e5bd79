import type { DestinationKind } from '../account/destination.ts'
import type { Clock } from '../lib/clock.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { type Carrier, unattempted } from './carrier.ts'
import { type HttpPostParts, httpPost } from './http-post.ts'
import { leadMail } from './mail/lead-mail.ts'
import type { MailServer } from './mail/mail-server.ts'
import { sendMail } from './mail/transport.ts'
import { userAgent, webhookBody, webhookHeaders } from './webhook.ts'

export interface CarrierParts {
  http: HttpPostParts
  /** `null`: the box sends no mail. */
  mailServer: MailServer | null
  clock: Pick<Clock, 'now'>
}

/** Recipients of mails of which others were refused for the moment: whoever was reached is not sent the same again. */
const reachedMax = 10_000

/** Every way to reach a destination. */
export function carriersOf(parts: CarrierParts): Readonly<Record<DestinationKind, Carrier>> {
  return {
    webhook: webhookCarrier(parts),
    mail: mailCarrier(parts),
    slack: unknownCarrier,
    discord: unknownCarrier,
    teams: unknownCarrier,
    report: unknownCarrier,
  }
}

const webhookCarrier = ({ http, clock }: CarrierParts): Carrier => ({
  body: ({ leads: [lead], deliveries: [delivery] }) =>
    lead === undefined || delivery === undefined ? null : webhookBody(lead, delivery.createdAt),
  async attempt({ destination, deliveries: [delivery], secrets }, body) {
    if (destination.kind !== 'webhook' || delivery === undefined || body === null) throw new TypeError('no webhook')
    const id = delivery.submissionId ?? delivery.id
    const headers = webhookHeaders({ id, body, secrets, now: clock.now() })
    return httpPost({ url: new URL(destination.url), headers, body, secrets }, http)
  },
})

function mailCarrier({ mailServer }: CarrierParts): Carrier {
  const reached = new RecentMap<true>(reachedMax)
  return {
    body: () => null,
    async attempt({ destination, leads }) {
      if (destination.kind !== 'mail') throw new TypeError('no mail')
      if (mailServer === null) return unattempted(noMailServer)
      return sendMail(leadMail(leads, destination, mailServer.from), mailServer, { reached })
    },
  }
}

const noMailServer = 'This box sends no mail: set [mail] host and from in capture.toml, and restart it.'

const unknownCarrier: Carrier = {
  body: () => null,
  attempt: async () => unattempted('This version cannot send to destinations of this kind yet.'),
}

/** Of chats and webhooks alike. */
export const jsonHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json',
  'User-Agent': userAgent,
}
