import { readMailAddress } from '../lib/mail-address.ts'
import type { Parsed } from '../lib/toml/shape.ts'
import { keptInTheBox } from './kept-mark.ts'

export function parseRecipient(text: string): Parsed<string> {
  const value = readMailAddress(text)
  return value === null ? { expected: 'one e-mail address such as "sales@acme.example", without a name' } : { value }
}

/** Whether the host may be reached is judged when the folder is applied; `http` needs `[delivery] allow_private`. */
export function parseDeliveryUrl(text: string): Parsed<string> {
  if (text === keptInTheBox) return { value: text }
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { expected: 'an https:// address' }
  if (url.username !== '' || url.password !== '') return { fault: 'must not hold a user name or password' }
  if (url.hash !== '') return { fault: 'must not have a fragment ("#…"), which no server would see' }
  return { value: url.href }
}
