import { replyMark, replyOptOutPath, replyOptOutToken } from '../../account/reply-opt-out.ts'
import type { SigningKey } from '../../account/signing-key.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Attempt } from '../attempt.ts'
import { type Carrier, type LoadedParcel, unattempted } from '../carrier.ts'
import type { MailServer } from '../mail/mail-server.ts'
import { sendMail } from '../mail/transport.ts'
import { replyMail } from './reply-mail.ts'
import { replyAgeMsMax } from './reply-rules.ts'

/** Which visitors declined further replies. */
export interface ReplyConsent {
  /** Signs opt-outs and hashes addresses. */
  key(): SigningKey
  /** @param email as `identityEmail` writes it */
  isOptedOut(accountId: string, email: string): boolean
}

export interface ReplyParts {
  /** `null`: the box sends no mail. */
  mailServer: MailServer | null
  consent: ReplyConsent
  /** The origin of the host: `https://go.acme.example`. */
  baseOf: (host: string) => string
  clock: Pick<Clock, 'now'>
}

/**
 * Replies to visitors. A reply that may have arrived, was refused for good, or comes too late is not retried: a visitor
 * gets at most one, whatever happens (docs/decisions/0051).
 */
export const replyCarrier = (parts: ReplyParts): Carrier => ({
  body: () => null,
  async attempt(parcel) {
    const { mailServer } = parts
    if (mailServer === null) return unattempted('This box sends no mail: set [mail] in capture.toml, and restart it.')
    const reason = reasonAgainst(parcel, mailServer, parts)
    if (reason !== null) return { ...unattempted(reason), isLast: true }
    const { mayHaveArrived, isRefused, ...attempt } = await sendMail(mailOf(parcel, mailServer, parts), mailServer)
    return { ...attempt, isLast: mayHaveArrived || isRefused } satisfies Attempt
  },
})

/** What has changed since the reply was due; `null`: nothing. */
function reasonAgainst(parcel: LoadedParcel, { from }: MailServer, { consent, clock }: ReplyParts): string | null {
  const { receivedAt, replyTo } = leadOf(parcel)
  if (clock.now() - receivedAt > replyAgeMsMax)
    return `Not sent: the visitor wrote more than ${replyAgeMsMax / 60_000} minutes ago, too long for an automatic reply.`
  if (replyTo === null || replyTo === from.address.toLowerCase())
    return 'Not sent: the visitor gave this box’s own address.'
  return consent.isOptedOut(parcel.accountId, replyTo) ? 'Not sent: the visitor declined further replies.' : null
}

function mailOf(parcel: LoadedParcel, { from }: MailServer, { consent, baseOf }: ReplyParts) {
  const { destination, accountId } = parcel
  const lead = leadOf(parcel)
  if (destination.kind !== 'reply') throw new TypeError('no reply')
  const key = consent.key()
  const token = replyOptOutToken(replyMark(accountId, lead.replyTo ?? '', key), accountId, key)
  const optOutUrl = `${baseOf(lead.domain)}${replyOptOutPath}${token}`
  return replyMail({ lead, reply: destination.reply, sender: from, optOutUrl })
}

function leadOf({ leads: [lead] }: LoadedParcel) {
  if (lead === undefined) throw new TypeError('a reply to no submission')
  return lead
}
