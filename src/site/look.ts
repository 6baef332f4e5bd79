import type { Parsed } from '../lib/toml/shape.ts'

/** The HTML standard's valid e-mail address in ASCII, with a dot in its domain. */
const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/
/** A global number (RFC 3966 section 5.1.4), with the visual separators it allows. */
const telephonePattern = /^tel:\+[0-9][0-9().-]{3,24}$/

const contactExpected = 'an e-mail address, or an address that begins with https:// or tel:+'

/** The contact link of small pages. Only these three kinds are allowed, since it appears on a page. */
export function parseContact(text: string): Parsed<string> {
  if (emailPattern.test(text) || telephonePattern.test(text)) return { value: text }
  const url = URL.parse(text)
  const plain = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return plain && text.startsWith('https://') ? { value: url.href } : { expected: contactExpected }
}

/** `#0b57a4` or `#fff`, as six digits in lower case. */
export function parseColour(text: string): Parsed<string> {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) return { expected: 'a colour such as "#0b57a4" or "#fff"' }
  const digits = text.slice(1).toLowerCase()
  return { value: `#${digits.length === 6 ? digits : digits.replace(/./g, '$&$&')}` }
}
