import { identityEmail } from '../../ledger/identity-email.ts'
import { readHostname } from '../../lib/hostname.ts'
import type { LinkedMail } from '../../operations/link/click-links.ts'
import { usageError } from '../command.ts'

interface MailOptions {
  email: string | undefined
  message: string | undefined
  domain: string | undefined
}

/** The mail described by the options of `link sign` and `link rewrite`. @throws a usage error for invalid values */
export const typedMail = (account: string, { email, message, domain }: MailOptions): LinkedMail => ({
  account,
  email: email === undefined ? null : typedEmail(email),
  message: message ?? null,
  domain: domain === undefined ? null : typedDomain(domain),
})

function typedEmail(typed: string): string {
  const email = identityEmail(typed)
  if (email !== null) return email
  throw usageError(`--email takes an e-mail address, not "${typed}".`)
}

function typedDomain(typed: string): string {
  const reading = readHostname(typed)
  if ('hostname' in reading) return reading.hostname
  throw usageError(`--domain takes ${reading.expected}, not "${typed}".`)
}
