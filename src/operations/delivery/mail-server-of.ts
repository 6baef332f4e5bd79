import type { MailConfig } from '../../config/delivery.ts'
import type { MailServer } from '../../delivery/mail/mail-server.ts'

/** The mail server of the box; `null`: it sends no mail. */
export function mailServerOf({
  host,
  port,
  security,
  user,
  password,
  from,
  senders,
  ca,
}: MailConfig): MailServer | null {
  if (host === null || from === null) return null
  const login = user === null || password === null ? null : { user, password }
  return { host, port, security, login, from, senders, ca }
}
