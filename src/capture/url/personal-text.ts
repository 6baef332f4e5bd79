import { decodedText } from './decoded-text.ts'
import { holdsEmail } from './email-in-text.ts'
import { holdsPersonalPair } from './personal-name.ts'
import { holdsPhoneOrCard } from './phone-or-card.ts'
import { tokenCharsMin } from './worth-a-look.ts'

/** Fixed width, so that a search for it is linear (RFC 9562 section 4). */
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/**
 * Whether a part of a URL holds, anywhere and at any depth of encoding, an e-mail address, a phone number, a token, a
 * JWT, a card number, or (as in a nested URL) a parameter with a personal name (docs/events.md).
 */
export function looksPersonal(part: string): boolean {
  const text = decodedText(part)
  if (text === null) return true
  if (holdsEmail(text) || holdsPersonalPair(text)) return true
  const rest = withoutUuids(text)
  return holdsPhoneOrCard(rest) || holdsToken(rest)
}

/** Whether a decoded text holds a phone or card number. A UUID holds none, though some of its digits look like one. */
export const holdsPersonalNumber = (text: string): boolean => holdsPhoneOrCard(withoutUuids(text))

const withoutUuids = (text: string): string => (text.length >= 36 ? text.replace(uuids, '|') : text)

/** Base64url, hexadecimal and the like; and base64, whose `+` and `/` also stand between words. */
const opaqueRuns = /[A-Za-z0-9_-]+/g
const base64Runs = /[A-Za-z0-9+/]+/g
const pieces = /[A-Za-z0-9]+/g
/** How the base64url of a JSON object begins, as the header of a JWT does (RFC 7519 section 3). */
const jwtHeads = ['eyJ', 'eyA', 'ewo', 'ewk', 'ew0']

/**
 * Whether the text holds a token of 24 or more characters that mixes letters and digits, or a JWT (docs/events.md).
 * A slug (`10-best-offers-for-winter-2026`) is as long and mixes them too, but in words: most of it is plain. UUIDs are
 * taken out before.
 */
function holdsToken(text: string): boolean {
  return (
    jwtHeads.some((head) => holdsJwt(text, head)) ||
    (text.match(opaqueRuns) ?? []).some(isOpaque) ||
    (text.match(base64Runs) ?? []).some(isBase64)
  )
}

function holdsJwt(text: string, head: string): boolean {
  for (let start = text.indexOf(head); start !== -1; ) {
    let end = start
    while (end < text.length && isBase64Url(text.charCodeAt(end))) end++
    if (end - start > head.length && text[end] === '.' && isBase64Url(text.charCodeAt(end + 1))) return true
    start = text.indexOf(head, end)
  }
  return false
}

function isBase64Url(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d
  )
}

/** Most of it is mixed, or one unbroken piece of it is a token by itself. */
function isOpaque(run: string): boolean {
  if (!isMixed(run)) return false
  const { plainChars, mixedChars, unbroken } = weighed(run)
  return unbroken || mixedChars > plainChars
}

/** Base64 mixes its cases too, and has next to no plain piece; words and paths have. */
function isBase64(run: string): boolean {
  if (!isMixed(run) || !/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false
  const { plainChars, mixedChars } = weighed(run)
  return mixedChars > 3 * plainChars
}

const isMixed = (run: string): boolean => run.length >= tokenCharsMin && /[0-9]/.test(run) && /[A-Za-z]/.test(run)

function weighed(run: string): { plainChars: number; mixedChars: number; unbroken: boolean } {
  let plainChars = 0
  let mixedChars = 0
  let unbroken = false
  for (const piece of run.match(pieces) ?? []) {
    if (isPlain(piece)) plainChars += piece.length
    else mixedChars += piece.length
    unbroken ||= isMixed(piece)
  }
  return { plainChars, mixedChars, unbroken }
}

/** A number, or a word in lower, upper or camel case, as people write them. */
const isPlain = (piece: string): boolean => /^(?:[0-9]+|[A-Z]+|[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*)$/.test(piece)
