import type { MailAddress } from '../../lib/mail-address.ts'

/** Where the box hands over all mail, and in whose name (`[mail]`, docs/mail.md). */
export interface MailServer {
  host: string
  port: number
  /** `tls`: from the first byte (RFC 8314). `starttls`: required, never opportunistic (RFC 3207). */
  security: 'starttls' | 'tls' | 'none'
  /** `null`: no authentication. */
  login: MailLogin | null
  from: MailAddress
  /** Addresses, and domains as `@acme.example`, that accounts may send from besides. */
  senders: readonly string[]
  /** Certificates (PEM) trusted besides the system's. */
  ca: string | null
}

export interface MailLogin {
  user: string
  /** Never printed, never logged. */
  password: string
}

/** What makes a box send mail. */
export const mailSetup = 'Set `host` and `from` under `[mail]` in `capture.toml`, and restart the box.'

/** Why a box without a mail server has not sent a mail. */
export const noMailServer = `This box sends no mail. ${mailSetup}`

/** Whether the box may send mail of an account from the address. */
export const maySendFrom = (
  address: string,
  { from, senders }: { from: Pick<MailAddress, 'address'> | null; senders: readonly string[] },
): boolean =>
  address === from?.address || senders.includes(address) || senders.includes(address.slice(address.lastIndexOf('@')))

/**
 * Whom an account's mail comes from: its `mail_from`, as long as the box allows it. The envelope, to which bounces go, always has
 * the box's own address.
 *
 * @returns without a name where the account's own is to be taken
 */
export const senderOf = (mailFrom: MailAddress | null, server: Pick<MailServer, 'from' | 'senders'>): MailAddress =>
  mailFrom !== null && maySendFrom(mailFrom.address, server) ? mailFrom : { name: null, address: server.from.address }
