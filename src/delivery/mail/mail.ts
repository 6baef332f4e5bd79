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
