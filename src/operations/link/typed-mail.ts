import { identityEmail } from '../../ledger/identity-email.ts'
import { readHostname } from '../../lib/hostname.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { LinkedMail } from './click-links.ts'

/** The mail of click links, as somebody typed it. */
export interface TypedMail {
  account: string
  email?: string | undefined
  message?: string | undefined
  domain?: string | undefined
}

/** Makes the error that refuses a part; the caller knows what the part is called there. */
type Refused = (part: 'email' | 'domain', expected: string, typed: string) => Error

/** @throws what `refused` makes, for an address or domain that is none */
export const typedMail = (
  { account, email, message, domain }: TypedMail,
  refused: Refused = refusedPart,
): LinkedMail => ({
  account,
  email: email === undefined ? null : typedEmail(email, refused),
  message: message ?? null,
  domain: domain === undefined ? null : typedDomain(domain, refused),
})

function typedEmail(typed: string, refused: Refused): string {
  const email = identityEmail(typed)
  if (email !== null) return email
  throw refused('email', 'an e-mail address', typed)
}

function typedDomain(typed: string, refused: Refused): string {
  const reading = readHostname(typed)
  if ('value' in reading) return reading.value
  throw refused('domain', reading.expected, typed)
}

const refusedPart: Refused = (part, expected, typed) =>
  new OperatorError(`The ${part === 'email' ? "recipient's address" : 'domain'} has to be ${expected}, not "${typed}".`)
