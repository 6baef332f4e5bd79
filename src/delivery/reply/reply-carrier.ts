import type { FormReply } from '../../account/form.ts'
import { replyMark, replyOptOutPath, replyOptOutToken } from '../../account/reply-opt-out.ts'
import type { SigningKey } from '../../account/signing-key.ts'
import { type Language, textsOf } from '../../language/language.ts'
import type { Clock } from '../../lib/clock.ts'
import { html } from '../../lib/html.ts'
import { type MailAddress, readMailAddress } from '../../lib/mail-address.ts'
import { type Carrier, type LoadedParcel, unattempted } from '../carrier.ts'
import { capturedLine, type Lead } from '../lead.ts'
import type { Mail } from '../mail/mail.ts'
import { mailDocument, mailStyles as style, withBreaks } from '../mail/mail-document.ts'
import { type MailServer, senderOf } from '../mail/mail-server.ts'
import { sendMail } from '../mail/transport.ts'
import type { Attempt } from '../outbox.ts'
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
  const { mailFrom } = parcel
  const { receivedAt, replyTo } = leadOf(parcel)
  if (clock.now() - receivedAt > replyAgeMsMax)
    return `Not sent: the visitor wrote more than ${replyAgeMsMax / 60_000} minutes ago, too long for an automatic reply.`
  const own = [from.address, mailFrom?.address].map((address) => address?.toLowerCase())
  if (replyTo === null || own.includes(replyTo)) return 'Not sent: the visitor gave this box’s own address.'
  return consent.isOptedOut(parcel.accountId, replyTo) ? 'Not sent: the visitor declined further replies.' : null
}

function mailOf(parcel: LoadedParcel, server: MailServer, { consent, baseOf }: ReplyParts) {
  const { destination, accountId } = parcel
  const lead = leadOf(parcel)
  if (destination.kind !== 'reply') throw new TypeError('no reply')
  const key = consent.key()
  const token = replyOptOutToken(replyMark(accountId, lead.replyTo ?? '', key), accountId, key)
  const optOutUrl = `${baseOf(lead.domain)}${replyOptOutPath}${token}`
  return replyMail({ lead, reply: destination.reply, sender: senderOf(parcel.mailFrom, server), optOutUrl })
}

function leadOf({ leads: [lead] }: LoadedParcel) {
  if (lead === undefined) throw new TypeError('a reply to no submission')
  return lead
}

interface ReplyTo {
  lead: Pick<Lead, 'accountName' | 'domain' | 'language' | 'colour' | 'contact' | 'submissionId' | 'replyTo'>
  reply: FormReply
  sender: MailAddress
  /** Where one request stops further replies (RFC 8058). */
  optOutUrl: string
}

const nameCharactersMax = 100

/**
 * The reply to a visitor: the operator's text, and of what was sent only the address, so that nobody can make this box
 * send words of theirs.
 *
 * @throws TypeError when mail cannot go to the lead's address
 */
export function replyMail({ lead, reply, sender, optOutUrl }: ReplyTo): Mail {
  const { accountName, domain, contact, submissionId, replyTo } = lead
  const language = lead.language ?? 'en'
  const address = replyTo === null ? null : readMailAddress(replyTo)
  if (address === null) throw new TypeError('A reply to nobody')
  const name = capturedLine(accountName, nameCharactersMax)
  return {
    from: { name: sender.name ?? (name || null), address: sender.address },
    to: [{ name: null, address }],
    // Otherwise an answer reaches the address that all mail of the box comes from.
    replyTo: contact === null ? null : { name: null, address: contact },
    subject: reply.subject,
    text: `${reply.text.trimEnd()}\n\n-- \n${name}, ${domain}\n${textsOf(language).reply.unsubscribe}: ${optOutUrl}\n`,
    html: replyHtml(reply, { name, domain, language, colour: lead.colour, optOutUrl }),
    messageId: `<${submissionId}.reply@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
    headers: {
      'Auto-Submitted': 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
      'List-Unsubscribe': `<${optOutUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    attachments: [],
  }
}

interface ReplyLook {
  name: string
  domain: string
  language: Language
  colour: string | null
  optOutUrl: string
}

function replyHtml({ subject, text }: FormReply, { name, domain, language, colour, optOutUrl }: ReplyLook): string {
  const paragraphs = text.trim().split(/\n{2,}/)
  const body = paragraphs.map((text) => html`<p class="ink" style="${style.value}">${withBreaks(text)}</p>`)
  return mailDocument({
    language,
    title: subject,
    preview: paragraphs[0] ?? '',
    kicker: name,
    colour,
    cards: [html`${body}`],
    footer: html`<p class="muted" style="${style.small}">${name}, ${domain} · <a class="muted" href="${optOutUrl}" style="${style.link}">${textsOf(language).reply.unsubscribe}</a></p>`,
  })
}
