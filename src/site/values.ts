import { originPatternFault } from '../account/origin-allowlist.ts'
import { isSlug } from '../asset/asset-name.ts'
import { parseAge } from '../lib/age.ts'
import { isOwnHostname } from '../lib/hostname.ts'
import type { Parsed } from '../lib/toml/shape.ts'

/** Keeps the spelling, because the allowlist compares it. */
export function parseOrigin(text: string): Parsed<string> {
  const fault = originPatternFault(text)
  return fault === null ? { value: text } : { fault }
}

export const parseSlug = (text: string): Parsed<string> =>
  isSlug(text) ? { value: text } : { expected: 'a slug: [A-Za-z0-9], then up to 99 of [A-Za-z0-9._-]' }

/** An IANA name. An offset such as `+02:00` would ignore daylight saving time. */
export function parseTimezone(text: string): Parsed<string> {
  const expected = 'an IANA time zone such as "Europe/Berlin"'
  if (!/^[A-Za-z]/.test(text)) return { expected }
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return { value: text }
  } catch {
    return { expected }
  }
}

/** `3y`, `13mo`, `12w`, `30d` in whole days; a year has 365.25. */
export function parseRetentionDays(text: string): Parsed<number> {
  const ms = /^\d+(d|w|mo|y)$/.test(text) ? parseAge(text) : null
  const days = ms === null ? 0 : Math.round(ms / dayMs)
  if (days < 1 || days > retentionDaysMax)
    return { expected: 'a time such as "30d", "12w", "13mo" or "3y", up to 100 years' }
  return { value: days }
}

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
