import type { Static } from '@sinclair/typebox'
import { readHostname } from '../lib/hostname.ts'
import { ipVersion, isThisMachine } from '../lib/ip.ts'
import { parseMailbox } from '../lib/mail-address.ts'
import { integer, oneOf, optionalText, type Parsed, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { type MailConfig, mailSecurities } from './config.ts'
import { readSecret, type Section, trustedCertificates } from './secret.ts'
import { parseFolder } from './values.ts'

/** `[mail]` (docs/mail.md). */
export const mailSchema = table({
  host: withDefault(optionalText(parsed(string(), parseMailHost)), null),
  port: withDefault(integer({ min: 0, max: 65_535 }), 0),
  security: withDefault(oneOf(mailSecurities), 'starttls'),
  user: withDefault(optionalText(string()), null),
  password: withDefault(optionalText(string({ expected: 'a password', secret: true })), null),
  password_file: withDefault(optionalText(string()), null),
  password_env: withDefault(optionalText(string()), null),
  from: withDefault(optionalText(parsed(string(), parseMailbox)), null),
  ca_file: withDefault(optionalText(parsed(string(), parseFolder)), null),
})

export type WrittenMail = Static<typeof mailSchema>

/** The ports of RFC 6409, RFC 8314 and RFC 5321, in this order. */
const usualPorts = { starttls: 587, tls: 465, none: 25 } as const

/** Checks the keys together and reads the files that they name. Without a host the other keys are ignored. */
export function mailOf(written: WrittenMail, section: Section): MailConfig {
  const { host, security, from } = written
  const server = { host, port: written.port || usualPorts[security], security }
  if (host === null) return { ...server, user: null, password: null, from: null, ca: null }
  if (security === 'none' && !isThisMachine(host))
    section.fault('security', '"none" is only for a mail server on this machine: set "starttls" or "tls"')
  if (from === null) section.fault('from', 'is missing: the address that mail of this box comes from')
  return {
    ...server,
    from,
    ca: trustedCertificates('ca_file', written.ca_file, section),
    ...login(written, section),
  }
}

function login(written: WrittenMail, section: Section): Pick<MailConfig, 'user' | 'password'> {
  const { fault } = section
  const { key, text } = readSecret('password', written, section)
  if (key === null && written.user !== null) fault('user', 'is set without password, password_file or password_env')
  if (key !== null && written.user === null) fault(key, 'is set without user')
  // Files usually end with a line break.
  return { user: written.user, password: text?.replace(/\r?\n$/, '') ?? null }
}

function parseMailHost(text: string): Parsed<string> {
  if (ipVersion(text) !== null && !text.includes('%')) return { value: text }
  return readHostname(text)
}
