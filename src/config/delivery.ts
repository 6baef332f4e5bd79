import type { Static } from '@sinclair/typebox'
import { readHostname } from '../lib/hostname.ts'
import { ipVersion, isThisMachine } from '../lib/ip.ts'
import { parseMailbox, readMailAddress } from '../lib/mail-address.ts'
import {
  integer,
  listOf,
  oneOf,
  optionalText,
  type Parsed,
  parsed,
  string,
  table,
  withDefault,
} from '../lib/toml/shape.ts'
import { readSecret, type Section, trustedCertificates } from './secret.ts'
import { parseCidr, parseFolder, portMax } from './values.ts'

const allowedRangesMax = 100
const sendersMax = 1000

/** `[delivery]` (docs/deliveries.md). */
export const deliverySchema = table({
  allow_private: withDefault(listOf(parsed(string(), parseCidr), { itemsMax: allowedRangesMax, unique: true }), []),
  ca_file: withDefault(optionalText(parsed(string(), parseFolder)), null),
})

/** Reads the file that `ca_file` names. */
export const deliveryOf = (written: Static<typeof deliverySchema>, section: Section) => ({
  allowPrivate: written.allow_private,
  /** PEM, trusted beside the system's. */
  ca: trustedCertificates('ca_file', written.ca_file, section),
})

/** `[mail]` (docs/mail.md). */
export const mailSchema = table({
  /** `null`: this box sends no mail, and the other keys are ignored. */
  host: withDefault(optionalText(parsed(string(), parseMailHost)), null),
  /** 0: the usual one. */
  port: withDefault(integer({ min: 0, max: portMax }), 0),
  security: withDefault(oneOf(['starttls', 'tls', 'none']), 'starttls'),
  /** `null`: no authentication. */
  user: withDefault(optionalText(string()), null),
  password: withDefault(optionalText(string({ expected: 'a password', secret: true })), null),
  password_file: withDefault(optionalText(string()), null),
  password_env: withDefault(optionalText(string()), null),
  from: withDefault(optionalText(parsed(string(), parseMailbox)), null),
  senders: withDefault(listOf(parsed(string(), parseSender), { itemsMax: sendersMax, unique: true }), []),
  ca_file: withDefault(optionalText(parsed(string(), parseFolder)), null),
})

type WrittenMail = Static<typeof mailSchema>

/** The ports of RFC 6409, RFC 8314 and RFC 5321, in this order. */
const usualPorts = { starttls: 587, tls: 465, none: 25 } as const

export type MailConfig = ReturnType<typeof mailOf>

/** Checks the keys together and reads the files that they name. Without a host the other keys are ignored. */
export function mailOf(written: WrittenMail, section: Section) {
  const { host, security } = written
  const isSet = host !== null
  if (isSet && security === 'none' && !isThisMachine(host))
    section.fault('security', '"none" is only for a mail server on this machine: set "starttls" or "tls"')
  if (isSet && written.from === null) section.fault('from', 'is missing: the address that mail of this box comes from')
  return {
    host,
    port: written.port || usualPorts[security],
    security,
    from: isSet ? written.from : null,
    senders: written.senders,
    /** PEM. */
    ca: isSet ? trustedCertificates('ca_file', written.ca_file, section) : null,
    ...(isSet ? login(written, section) : { user: null, password: null }),
  }
}

function login(written: WrittenMail, section: Section) {
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

/** One address, or every address of a domain. */
function parseSender(text: string): Parsed<string> {
  const isDomain = text.startsWith('@')
  const address = readMailAddress(isDomain ? `any${text}` : text)
  if (address === null)
    return { expected: 'a domain such as "@acme.example", or one address such as "leads@acme.example"' }
  return { value: isDomain ? address.slice('any'.length) : address }
}
