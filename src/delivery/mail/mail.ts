import type { MailAddress } from '../../lib/mail-address.ts'

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
  /** Headers beyond those above. Nothing that was captured may be in them. */
  headers: Readonly<Record<string, string>>
  attachments: readonly MailPicture[]
}

/** A picture that travels in the message, shown by `<img src="cid:…">`. */
interface MailPicture {
  /** Of [a-z0-9-], unique in the message. */
  cid: string
  filename: string
  contentType: 'image/png'
  content: Uint8Array
}
