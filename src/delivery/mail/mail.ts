import MailComposer from 'nodemailer/lib/mail-composer'
import { type MailAddress, readMailAddress } from '../../lib/mail-address.ts'

/** One message to one destination, before it is encoded. */
export interface Mail {
  from: MailAddress
  /** At least one. */
  to: readonly MailAddress[]
  replyTo: MailAddress | null
  subject: string
  text: string
  html: string
  /** `<…@…>` (RFC 5322 section 3.6.4), the same on every try, so that a mailbox sees a repeat as one. */
  messageId: string
  /** Further headers. None may contain anything captured. */
  headers: Readonly<Record<string, string>>
  attachments: readonly MailPicture[]
}

/** A picture within the message, shown by `<img src="cid:…">`. */
interface MailPicture {
  /** Of [a-z0-9-], unique in the message. */
  cid: string
  filename: string
  contentType: 'image/png'
  content: Uint8Array
}

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
    subject: subject.includes('=?') ? encodedWords(subject) : subject,
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

/**
 * Text as encoded words (RFC 2047 section 4.1), at most 75 characters each. The composer leaves ASCII as it is: a visitor's own
 * encoded word would be decoded by mail programs, to line breaks if it says so.
 */
function encodedWords(text: string): string {
  const words: string[] = []
  for (const character of text) {
    const last = words.at(-1)
    if (last !== undefined && Buffer.byteLength(last + character) <= 45) words[words.length - 1] = last + character
    else words.push(character)
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

function mailbox({ name, address }: MailAddress): { name: string; address: string } {
  if (readMailAddress(address) !== address) throw new TypeError('The mail has an invalid address')
  return { name: name ?? '', address }
}
