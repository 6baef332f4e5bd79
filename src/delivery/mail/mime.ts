import MailComposer from 'nodemailer/lib/mail-composer'
import { type MailAddress, readMailAddress } from '../../lib/mail-address.ts'
import type { Mail } from './mail.ts'

/**
 * The message as SMTP carries it (RFC 5322, RFC 2045).
 *
 * The composer gets addresses as objects, and they are checked again here: from a text, it would read several
 * recipients.
 *
 * @throws TypeError when an address of the mail is invalid
 */
export function encodedMail(mail: Mail): Promise<Buffer> {
  const { from, to, replyTo, subject, text, html, messageId, headers, attachments } = mail
  const composer = new MailComposer({
    from: mailbox(from),
    to: to.map(mailbox),
    ...(replyTo === null ? {} : { replyTo: mailbox(replyTo) }),
    subject,
    text,
    html,
    messageId,
    headers: { ...headers },
    attachments: attachments.map(({ cid, filename, contentType, content }) => ({
      cid,
      filename,
      contentType,
      content: Buffer.from(content),
      contentDisposition: 'inline',
    })),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

function mailbox({ name, address }: MailAddress): { name: string; address: string } {
  if (readMailAddress(address) !== address) throw new TypeError('The mail has an invalid address')
  return { name: name ?? '', address }
}
