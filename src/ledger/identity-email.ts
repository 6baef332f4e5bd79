import { domainToASCII } from 'node:url'
import type { JsonValue } from '../lib/json-value.ts'

/** Limits of RFC 5321 sections 4.5.3.1.1 and .3, in Unicode characters. */
const localPartCharsMax = 64
const addressCharsMax = 254

/** A character takes at most two UTF-16 units. Checked before any pattern meets the text. */
const addressUnitsMax = 2 * addressCharsMax

/**
 * The identity in an `email` field: a string that, trimmed, is an address, lower-cased,
 * its domain in punycode, so that `a@BÜCHER.example` and `a@xn--bcher-kva.example` are one person. Otherwise `null`.
 *
 * An address is the HTML standard's valid e-mail address with a dot in its domain, letters outside ASCII allowed.
 */
export function identityEmail(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string') return null
  const trimmed = value.trim()
  if (trimmed.length > addressUnitsMax) return null
  if (plainAddress.test(trimmed)) return trimmed.length <= addressCharsMax ? trimmed : null
  const at = trimmed.indexOf('@')
  if (at < 1) return null
  const local = localPart(trimmed.slice(0, at))
  const domain = punycodeDomain(trimmed.slice(at + 1))
  if (local === null || domain === null) return null
  const address = `${local}@${domain}`
  return charCount(address) <= addressCharsMax ? address : null
}

/** Fast path: most addresses need no decoding, folding or counting. */
const plainAddress =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

/**
 * Allows combining marks. Invisible characters would make two persons look like one.
 * `\p{L}` has the ASCII letters. If both alternatives had them, a text that fails at its end would take exponential time.
 */
const localPartPattern = /^(?:[0-9.!#$%&'*+/=?^_`{|}~-]|(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}])+$/u
const unicodeDomainPattern = /^(?:[0-9.-]|(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}])+$/u

/** The HTML standard's domain, and at least one dot. */
const domainPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

/** NFC, so that a letter typed with a combining mark is the same letter (RFC 6532 section 3.1). */
function localPart(text: string): string | null {
  if (!localPartPattern.test(text)) return null
  const local = text.toLowerCase().normalize('NFC')
  return charCount(local) <= localPartCharsMax ? local : null
}

function punycodeDomain(text: string): string | null {
  if (!unicodeDomainPattern.test(text)) return null
  const domain = isAscii(text) ? text.toLowerCase() : domainToASCII(text)
  return domainPattern.test(domain) ? domain : null
}

const isAscii = (text: string): boolean => /^[A-Za-z0-9.-]*$/.test(text)

const charCount = (text: string): number => [...text].length
