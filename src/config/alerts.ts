import type { Static } from '@sinclair/typebox'
import { readMailAddress } from '../lib/mail-address.ts'
import { listOf, optionalText, type Parsed, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import type { Section } from './secret.ts'

const recipientsMax = 20

/** `[alerts]` (docs/alerts.md). */
export const alertsSchema = table({
  to: withDefault(listOf(parsed(string(), parseRecipient), { itemsMax: recipientsMax, unique: true }), []),
  /** A secret: whoever knows it can post there. */
  url: withDefault(optionalText(parsed(string({ secret: true }), parseUrl)), null),
})

export function alertsOf({ to, url }: Static<typeof alertsSchema>, hasMail: boolean, { fault }: Section) {
  if (to.length > 0 && !hasMail) fault('to', 'needs a mail server: set host and from below [mail]')
  return { to, url }
}

function parseRecipient(text: string): Parsed<string> {
  const value = readMailAddress(text)
  return value === null ? { expected: 'an address such as "ops@agency.example"' } : { value }
}

function parseUrl(text: string): Parsed<string> {
  const url = URL.parse(text)
  const isAddress = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isAddress && url.username === ''
    ? { value: url.href }
    : { expected: 'the https:// address of a chat or webhook' }
}
