import { readHostname } from './hostname.ts'
import type { Parsed } from './toml/shape.ts'

/** A mailbox (RFC 5322 section 3.4): the name that people see, and where mail goes. */
export interface MailAddress {
  /** `null`: no name. */
  name: string | null
  /** As `readMailAddress` returns it. */
  address: string
}

/** Limits of RFC 5321 sections 4.5.3.1.1 and 4.5.3.1.3. */
const localPartCharactersMax = 64
const addressCharactersMax = 254
const nameCharactersMax = 200

/** RFC 5322 section 3.2.3, dot-atom. Quoted local parts are left out: no mailbox that people use needs one. */
const dotAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/**
 * The one address in `text`, with its domain in lower case and punycode; `null` if `text` is anything else. What it returns
 * can stand in an SMTP command and in a header: no space, comma, bracket, quote, control or non-ASCII character, and nothing
 * that a mail program decodes (RFC 2047).
 */
export function readMailAddress(text: string): string | null {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (at < 1 || local.length > localPartCharactersMax || !dotAtom.test(local) || local.includes('=?')) return null
  const domain = text.slice(at + 1)
  // A trailing dot and spaces are slips that are forgiven in a host name, but not in an address.
  if (/[\s:/*[\]]|\.$/.test(domain)) return null
  const reading = readHostname(domain)
  if (!('value' in reading) || !/\.[a-z][a-z0-9-]*$/.test(reading.value)) return null
  const address = `${local}@${reading.value}`
  return address.length <= addressCharactersMax ? address : null
}

/** What mail programs decode (RFC 2047), and characters that change how the text around them is read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const deceptive = /=\?|[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

/** `leads@agency.example`, or `Acme Studio <leads@agency.example>`; quotation marks around the name are dropped. */
export function parseMailbox(text: string): Parsed<MailAddress> {
  const [, written = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = readMailAddress(bracketed ?? text.trim())
  if (address === null) return { expected: mailboxExpected }
  const [, quoted] = /^"(.*)"$/s.exec(written.trim()) ?? []
  const name = (quoted?.replace(/\\(.)/gs, '$1') ?? written).trim()
  if (name.length > nameCharactersMax) return { fault: `has a name of more than ${nameCharactersMax} characters` }
  if (deceptive.test(name)) return { fault: 'has a character in its name that mail programs do not show as it is' }
  return { value: { name: name === '' ? null : name, address } }
}

const mailboxExpected = 'one address such as "leads@agency.example" or "Acme Studio <leads@agency.example>"'

/** As `parseMailbox` reads it. */
export const mailboxText = ({ name, address }: MailAddress): string =>
  name === null ? address : `${name} <${address}>`
