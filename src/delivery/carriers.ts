import type { DestinationKind } from '../account/destination.ts'
import { webhookKey } from '../account/webhook-secret.ts'
import type { Clock } from '../lib/clock.ts'
import type { JsonObject } from '../lib/json-value.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { type Carrier, unableCarrier, unattempted } from './carrier.ts'
import { discordMessage } from './discord.ts'
import { type HttpPostParts, httpPost } from './http-post.ts'
import type { Lead } from './lead.ts'
import { leadMail } from './mail/lead-mail.ts'
import { type MailServer, noMailServer, senderOf } from './mail/mail-server.ts'
import { sendMail } from './mail/transport.ts'
import { type ReplyParts, replyCarrier } from './reply/reply-carrier.ts'
import { type ReportLetter, reportMail } from './report-letter.ts'
import { slackMessage } from './slack.ts'
import { teamsMessage } from './teams.ts'

type FileUrl = (lead: Lead, fileId: string) => string

interface CarrierParts {
  http: HttpPostParts
  /** `null`: the box sends no mail. */
  mailServer: MailServer | null
  /** `null`: in a command, which writes to no visitor. */
  replies: ReplyParts | null
  /** Makes the address at which a receiver can download a visitor's file for some days; `null`: in a command, which has no such files. */
  fileUrl: FileUrl | null
  clock: Pick<Clock, 'now'>
}

/**
 * Recipients reached by mails that others of their recipients could not take yet, so that nobody gets the same mail
 * twice.
 */
const reachedMax = 10_000

/** What an accident of the disk leaves; each says what its reader can do. */
const damagedAddress =
  'The address is damaged on this box. Apply the site folder again, with the address written in it.'
const damagedSecret = 'The secret is damaged on this box. Make a new one, and give it to the receiver.'

/** Every way to reach a destination. */
export function carriersOf(parts: CarrierParts): Readonly<Record<DestinationKind, Carrier>> {
  const { mailServer, replies } = parts
  const toVisitors = replies === null ? unableCarrier(noVisitor) : replyCarrier(replies)
  return {
    webhook: webhookCarrier(parts),
    mail: mailServer === null ? unableCarrier(noMailServer) : mailCarrier(mailServer),
    slack: chatCarrier(slackMessage, parts),
    discord: chatCarrier(discordMessage, parts),
    teams: chatCarrier(teamsMessage, parts),
    report: mailServer === null ? unableCarrier(noMailServer) : reportCarrier(mailServer),
    confirm: toVisitors,
    reply: toVisitors,
  }
}

const webhookCarrier = ({ http, clock, fileUrl }: CarrierParts): Carrier => ({
  body: ({ leads: [lead], deliveries: [delivery] }) =>
    lead === undefined || delivery === undefined ? null : webhookBody(lead, delivery.createdAt, fileUrl),
  async attempt({ destination, deliveries: [delivery], secrets }, body) {
    if (destination.kind !== 'webhook' || delivery === undefined || body === null) throw new TypeError('no webhook')
    if (destination.url === '') return unattempted(damagedAddress)
    if (secrets.length === 0) return unattempted(damagedSecret)
    const id = delivery.submissionId ?? delivery.id
    const headers = webhookHeaders({ id, body, secrets, now: clock.now() })
    return httpPost({ url: new URL(destination.url), headers, body, secrets }, http)
  },
})

/** A chat's address is its key, so it is removed from the exchange that is kept. */
const chatCarrier = (message: (lead: Lead) => JsonObject, { http }: CarrierParts): Carrier => ({
  body: ({ leads: [lead] }) => (lead === undefined ? null : JSON.stringify(message(lead))),
  async attempt({ destination }, body) {
    if (!('url' in destination) || body === null) throw new TypeError('no chat')
    if (destination.url === '') return unattempted(damagedAddress)
    const url = new URL(destination.url)
    const headers = { 'Content-Type': 'application/json', 'User-Agent': userAgent }
    return httpPost({ url, headers, body, secrets: addressSecrets(url) }, http)
  },
})

/** Parts of an address that could be used without the rest: the whole path, and each part that is not a plain word. */
export const addressSecrets = ({ pathname, search }: URL): string[] => [
  pathname + search,
  pathname,
  ...`${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= secretPartCharactersMin),
]
const secretPartCharactersMin = 8

function mailCarrier(mailServer: MailServer): Carrier {
  const reached = new RecentMap<true>(reachedMax)
  return {
    body: () => null,
    async attempt({ destination, leads, further, mailFrom }) {
      if (destination.kind !== 'mail') throw new TypeError('no mail')
      const sender = senderOf(mailFrom, mailServer)
      return sendMail(leadMail(leads, { destination, sender, further }), mailServer, { reached })
    },
  }
}

/** Mails a report. The letter made for the first try is kept, so that every try sends the same. */
function reportCarrier(mailServer: MailServer): Carrier {
  const reached = new RecentMap<true>(reachedMax)
  return {
    body: ({ report }) => (report === null ? null : JSON.stringify(report)),
    async attempt({ destination, accountId, mailFrom, deliveries: [delivery] }, body) {
      if (destination.kind !== 'report' || delivery === undefined) throw new TypeError('no report')
      if (body === null) return unattempted('The figures of this report cannot be read; run `capture doctor`.')
      // Not the delivery's own id: after a power failure, its row may be derived again.
      const id = delivery.period === null ? delivery.id : `report.${delivery.period}.${accountId}`
      return sendMail(
        reportMail(JSON.parse(body) as ReportLetter, destination, { sender: senderOf(mailFrom, mailServer), id }),
        mailServer,
        { reached },
      )
    },
  }
}

const noVisitor = 'This mail goes to a visitor alone: fill in the form to see it, or test a delivery of the kind mail.'

/**
 * The body of a webhook (Standard Webhooks 1.0, "Payload structure").
 * @param at when the submission began to count
 */
const webhookBody = (lead: Lead, at: number, fileUrl: FileUrl | null): string => {
  const { record, isBackfilled } = lead
  const files = [record.files ?? []].flat().filter(isJsonObject)
  const linked = files.map((file) => ({ ...file, url: fileUrl?.(lead, String(file.id)) ?? null }))
  const data = { ...record, files: linked }
  return JSON.stringify({
    type: 'submission.accepted',
    timestamp: new Date(at).toISOString(),
    ...(isBackfilled && { backfilled: true }),
    data,
  })
}

interface Signing {
  /** The submission's id, the same on every try. */
  id: string
  body: string
  /** Each secret signs: two while one replaces the other. */
  secrets: readonly string[]
  /** The time of the attempt, epoch milliseconds. */
  now: number
}

/** Standard Webhooks 1.0, "Webhook headers". */
export function webhookHeaders({ id, body, secrets, now }: Signing): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const signed = `${id}.${timestamp}.${body}`
  return {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, signed)}`).join(' '),
  }
}

const signature = (secret: string, signed: string): string =>
  new Bun.CryptoHasher('sha256', webhookKey(secret)).update(signed).digest('base64')

const userAgent = 'capture'
