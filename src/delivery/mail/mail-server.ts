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
  /** Certificates (PEM) trusted besides the system's. */
  ca: string | null
}

export interface MailLogin {
  user: string
  /** Never printed, never logged. */
  password: string
}

/** What to do if a box without a mail server has mail to send. */
export const noMailServer = 'This box sends no mail: set [mail] host and from in capture.toml, and restart it.'
