import {
  confirmationDays,
  confirmationEndsAt,
  confirmationPath,
  confirmationToken,
} from '../../account/confirmation-link.ts'
import type { FormMail } from '../../account/form.ts'
import { replyMark, replyOptOutPath, replyOptOutToken } from '../../account/reply-opt-out.ts'
import type { SigningKey } from '../../account/signing-key.ts'
import { type Language, textsOf } from '../../language/language.ts'
import { filled } from '../../language/wording.ts'
import type { Clock } from '../../lib/clock.ts'
import { html, type Markup } from '../../lib/html.ts'
import { type MailAddress, readMailAddress } from '../../lib/mail-address.ts'
import { age } from '../../lib/quantities.ts'
import { type Carrier, type LoadedParcel, unattempted } from '../carrier.ts'
import { capturedLine, type Lead } from '../lead.ts'
import type { Mail } from '../mail/mail.ts'
import { mailDocument, mailStyles as style, withBreaks } from '../mail/mail-document.ts'
import { type MailServer, noMailServer, senderOf } from '../mail/mail-server.ts'
import { sendMail } from '../mail/transport.ts'
import type { Attempt } from '../outbox.ts'
import { visitorMailAgeMsMax } from './reply-rules.ts'

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
 * Mails to visitors: confirmations and replies. One that may have arrived, was refused for good, or comes too late is not
 * retried: a visitor gets at most one of each, whatever happens (docs/decisions/0051).
 */
export const replyCarrier = (parts: ReplyParts): Carrier => ({
  body: () => null,
  async attempt(parcel) {
    const { mailServer } = parts
    if (mailServer === null) return unattempted(noMailServer)
    const reason = reasonAgainst(parcel, mailServer, parts)
    if (reason !== null) return { ...unattempted(reason), isLast: true }
    const { mayHaveArrived, isRefused, ...attempt } = await sendMail(mailOf(parcel, mailServer, parts), mailServer)
    return { ...attempt, isLast: mayHaveArrived || isRefused } satisfies Attempt
  },
})

/** What has changed since the mail was due; `null`: nothing. */
function reasonAgainst(parcel: LoadedParcel, { from }: MailServer, { consent, clock }: ReplyParts): string | null {
  const { lead, destination, createdAt } = visitorOf(parcel)
  const ageMsMax = visitorMailAgeMsMax[destination.kind]
  if (clock.now() - createdAt > ageMsMax)
    return `Not sent: it was due more than ${age(ageMsMax)} ago, too long for an automatic mail.`
  const own = [from.address, parcel.mailFrom?.address].map((address) => address?.toLowerCase())
  if (lead.replyTo === null || own.includes(lead.replyTo)) return 'Not sent: the visitor gave this box’s own address.'
  return consent.isOptedOut(parcel.accountId, lead.replyTo) ? 'Not sent: the visitor declined further mails.' : null
}

function mailOf(parcel: LoadedParcel, server: MailServer, { consent, baseOf }: ReplyParts): Mail {
  const { lead, destination, createdAt } = visitorOf(parcel)
  const { accountId } = parcel
  const { submissionId } = lead
  const key = consent.key()
  const base = baseOf(lead.domain)
  const token = replyOptOutToken(replyMark(accountId, lead.replyTo ?? '', key), accountId, key)
  const asked = { accountId, submissionId, endsAt: confirmationEndsAt(createdAt) }
  const confirmUrl =
    destination.kind === 'confirm' ? `${base}${confirmationPath}${confirmationToken(asked, key)}` : null
  return visitorMail({
    lead,
    text: destination.mail,
    sender: senderOf(parcel.mailFrom, server),
    optOutUrl: `${base}${replyOptOutPath}${token}`,
    confirmUrl,
  })
}

function visitorOf({ leads: [lead], destination, deliveries: [delivery] }: LoadedParcel) {
  if (lead === undefined || delivery === undefined || !('mail' in destination))
    throw new TypeError('a mail to no visitor')
  return { lead, destination, createdAt: delivery.createdAt }
}

interface VisitorMail {
  lead: Pick<Lead, 'accountName' | 'domain' | 'colour' | 'contact' | 'language' | 'submissionId' | 'replyTo'>
  text: FormMail
  sender: MailAddress
  /** Where one request stops further mails (RFC 8058). */
  optOutUrl: string
  /** Where the visitor confirms the submission; `null`: a reply, which asks for nothing. */
  confirmUrl: string | null
}

const nameCharactersMax = 100

/**
 * A mail to a visitor: the operator's text, and of what was sent only the address, so that nobody can make this box
 * send words of theirs.
 *
 * @throws TypeError when mail cannot go to the lead's address
 */
export function visitorMail({ lead, text, sender, optOutUrl, confirmUrl }: VisitorMail): Mail {
  const { accountName, domain, contact, submissionId, replyTo } = lead
  const address = replyTo === null ? null : readMailAddress(replyTo)
  if (address === null) throw new TypeError('A mail to nobody')
  const name = capturedLine(accountName, nameCharactersMax)
  const language = lead.language ?? 'en'
  const { reply, confirm } = textsOf(language)
  const request = confirmUrl === null ? '' : `\n\n${confirm.mail.asks}\n${confirmUrl}\n\n${linkWords(language)}`
  return {
    from: { name: sender.name ?? (name || null), address: sender.address },
    to: [{ name: null, address }],
    // Otherwise an answer reaches the address that all mail of the box comes from.
    replyTo: contact === null ? null : { name: null, address: contact },
    subject: text.subject,
    text: `${text.text.trimEnd()}${request}\n\n-- \n${name}, ${domain}\n${reply.unsubscribe}: ${optOutUrl}\n`,
    html: htmlOf(text, { ...lead, name, language, optOutUrl, confirmUrl }),
    messageId: `<${submissionId}.${confirmUrl === null ? 'reply' : 'confirm'}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
    headers: {
      'Auto-Submitted': 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
      'List-Unsubscribe': `<${optOutUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    attachments: [],
  }
}

interface MailLook extends Pick<Lead, 'domain' | 'colour'>, Pick<VisitorMail, 'optOutUrl' | 'confirmUrl'> {
  name: string
  language: Language
}

function htmlOf({ subject, text }: FormMail, look: MailLook): string {
  const { name, domain, colour, language, optOutUrl, confirmUrl } = look
  const paragraphs = text.trim().split(/\n{2,}/)
  const body = paragraphs.map((text) => html`<p class="ink" style="${style.value}">${withBreaks(text)}</p>`)
  return mailDocument({
    language,
    title: subject,
    preview: paragraphs[0] ?? '',
    kicker: name,
    colour,
    cards: [html`${body}${confirmUrl === null ? null : requestOf(confirmUrl, language)}`],
    footer: html`<p class="muted" style="${style.small}">${name}, ${domain} · <a class="muted" href="${optOutUrl}" style="${style.link}">${textsOf(language).reply.unsubscribe}</a></p>`,
  })
}

function requestOf(confirmUrl: string, language: Language): Markup {
  const { button } = textsOf(language).confirm
  return html`<p style="margin:0;"><a class="ink" href="${confirmUrl}" style="${style.button}">${button}</a></p>
<p class="muted" style="${style.note}">${linkWords(language)}</p>`
}

function linkWords(language: Language): string {
  const { lasts, ignore } = textsOf(language).confirm.mail
  return `${filled(lasts, { days: confirmationDays })} ${ignore}`
}
