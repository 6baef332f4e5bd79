import type { FormReply } from '../../account/form-reply.ts'
import { html } from '../../lib/html.ts'
import { type MailAddress, readMailAddress } from '../../lib/mail-address.ts'
import { capturedLine } from '../captured-text.ts'
import type { Lead } from '../lead.ts'
import type { Mail } from '../mail/mail.ts'
import { mailDocument, mailStyles as style, withBreaks } from '../mail/mail-document.ts'

interface ReplyTo {
  lead: Pick<Lead, 'accountName' | 'domain' | 'colour' | 'contact' | 'submissionId' | 'replyTo'>
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
  const address = replyTo === null ? null : readMailAddress(replyTo)
  if (address === null) throw new TypeError('A reply to nobody')
  const name = capturedLine(accountName, nameCharactersMax)
  return {
    from: { name: name || null, address: sender.address },
    to: [{ name: null, address }],
    // Otherwise an answer reaches the address that all mail of the box comes from.
    replyTo: contact === null ? null : { name: null, address: contact },
    subject: reply.subject,
    text: `${reply.text.trimEnd()}\n\n-- \n${name}, ${domain}\nUnsubscribe: ${optOutUrl}\n`,
    html: replyHtml(reply, { name, domain, colour: lead.colour, optOutUrl }),
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
  colour: string | null
  optOutUrl: string
}

function replyHtml({ subject, text }: FormReply, { name, domain, colour, optOutUrl }: ReplyLook): string {
  const paragraphs = text.trim().split(/\n{2,}/)
  const body = paragraphs.map((text) => html`<p class="ink" style="${style.value}">${withBreaks(text)}</p>`)
  return mailDocument({
    title: subject,
    preview: paragraphs[0] ?? '',
    kicker: name,
    colour,
    cards: [html`${body}`],
    footer: html`<p class="muted" style="${style.small}">${name}, ${domain} · <a class="muted" href="${optOutUrl}" style="${style.link}">Unsubscribe</a></p>`,
  })
}
