import { pagePath } from '../account/goal.ts'
import { originPatternFault } from '../account/origin-allowlist.ts'
import { isSlug } from '../asset/asset-name.ts'
import { parseAge } from '../lib/age.ts'
import { isOwnHostname } from '../lib/hostname.ts'
import { ipNetwork } from '../lib/ip.ts'
import { parseWallTime } from '../lib/local-time.ts'
import { readMailAddress } from '../lib/mail-address.ts'
import type { Parsed } from '../lib/toml/shape.ts'
import { keptInTheBox } from './kept-folder.ts'
import { visitorFileBytesMax } from './limits.ts'

/** Keeps the spelling, because the allowlist compares it. */
export function parseOrigin(text: string): Parsed<string> {
  const fault = originPatternFault(text)
  return fault === null ? { value: text } : { fault }
}

/** An address or a CIDR. */
export function parseNetwork(text: string): Parsed<string> {
  try {
    ipNetwork(text, 'ignore')
    return { value: text.trim() }
  } catch {
    return { expected: 'an IP address or a range such as "203.0.113.7" or "2001:db8::/48"' }
  }
}

export const parseSlug = (text: string): Parsed<string> =>
  isSlug(text) ? { value: text } : { expected: 'a slug: [A-Za-z0-9], then up to 99 of [A-Za-z0-9._-]' }

/** An IANA name. An offset such as `+02:00` would ignore daylight saving time. */
export function parseTimezone(text: string): Parsed<string> {
  const expected = 'an IANA time zone such as "Europe/Berlin"'
  if (!/^[A-Za-z]/.test(text)) return { expected }
  // The default of a new folder: a process's first formatter takes 8 ms.
  if (text === 'UTC') return { value: text }
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return { value: text }
  } catch {
    return { expected }
  }
}

const fileSizeExpected = 'a size such as "500KB" or "10MB", up to 100MB'
const bytesPerUnit = { KB: 1024, MB: 1_048_576 }

/** The largest file of a field, in bytes. */
export function parseFileSize(text: string): Parsed<number> {
  const [, digits, unit] = /^([1-9]\d{0,5}) ?(KB|MB)$/i.exec(text) ?? []
  const bytes = Number(digits) * bytesPerUnit[(unit ?? 'KB').toUpperCase() as keyof typeof bytesPerUnit]
  return bytes <= visitorFileBytesMax ? { value: bytes } : { expected: fileSizeExpected }
}

export const liveTimeExpected = 'a time of the account\'s time zone, in quotes, such as "2026-12-01 08:00"'

/** What the wall clocks show; which instant that is depends on `timezone`. */
export function parseLiveTime(text: string): Parsed<number> {
  const value = parseWallTime(text)
  return value === null ? { expected: liveTimeExpected } : { value }
}

/** `3y`, `13mo`, `12w`, `30d` in whole days; a year has 365.25. */
export function parseRetentionDays(text: string): Parsed<number> {
  const ms = /^\d+(d|w|mo|y)$/.test(text) ? parseAge(text) : null
  const days = ms === null ? 0 : Math.round(ms / dayMs)
  if (days < 1 || days > retentionDaysMax)
    return { expected: 'a time such as "30d", "12w", "13mo" or "3y", up to 100 years' }
  return { value: days }
}

/** `3d`, `12h`, `2w` in whole hours. */
export function parseQuietHours(text: string): Parsed<number> {
  const ms = /^\d+[hdw]$/.test(text) ? parseAge(text) : null
  const hours = (ms ?? 0) / hourMs
  return hours >= 1 && hours <= quietHoursMax
    ? { value: hours }
    : { expected: 'a time such as "12h", "3d" or "2w", up to a year' }
}

const hourMs = 3_600_000
const quietHoursMax = 366 * 24
const dayMs = 86_400_000
const retentionDaysMax = 36_525

/** Where bot-check tokens are verified. The secret is sent there, so plain HTTP is allowed only within this machine. */
export function parseVerifyUrl(text: string): Parsed<string> {
  const expected = 'an https:// address, or an http:// one on 127.0.0.1, [::1] or localhost'
  if (!URL.canParse(text)) return { expected }
  const url = new URL(text)
  const clear = url.protocol === 'http:' && isOwnHostname(url.hostname)
  const plain = url.username === '' && url.password === '' && url.hash === ''
  return plain && (url.protocol === 'https:' || clear) ? { value: url.href } : { expected }
}

export function parseRecipient(text: string): Parsed<string> {
  const value = readMailAddress(text)
  return value === null ? { expected: 'one email address such as "sales@acme.example", without a name' } : { value }
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

/** The HTML standard's valid email address in ASCII, with a dot in its domain. */
const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/
/** A global number (RFC 3966 section 5.1.4), with the visual separators it allows. */
const telephonePattern = /^tel:\+[0-9][0-9().-]{3,24}$/

const contactExpected = 'an email address, or an address that begins with https:// or tel:+'

/** The contact link of small pages. Only these three kinds are allowed, since it appears on a page. */
export function parseContact(text: string): Parsed<string> {
  if (emailPattern.test(text) || telephonePattern.test(text)) return { value: text }
  const url = URL.parse(text)
  const plain = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return plain && text.startsWith('https://') ? { value: url.href } : { expected: contactExpected }
}

/** `#0b57a4` or `#fff`, as six digits in lower case. */
export function parseBrandColour(text: string): Parsed<string> {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) return { expected: 'a colour such as "#0b57a4" or "#fff"' }
  const digits = text.slice(1).toLowerCase()
  return { value: `#${digits.length === 6 ? digits : digits.replace(/./g, '$&$&')}` }
}

const pageExpected = 'the path of a page, such as "/thank-you", without a question mark or #'

/** As browsers write it: `/über-uns` becomes `/%C3%BCber-uns`. */
export function parsePagePath(text: string): Parsed<string> {
  if (!/^\/(?![/\\])[^?#\s\\]*$/.test(text)) return { expected: pageExpected }
  const url = URL.parse(text, 'https://site.invalid')
  return url === null ? { expected: pageExpected } : { value: pagePath(url.pathname) }
}
