import { decodedText } from './decoded-text.ts'
import { holdsEmail } from './email-in-text.ts'
import { holdsPersonalPair } from './personal-name.ts'
import { holdsPhoneOrCard } from './phone-or-card.ts'
import { holdsToken } from './token-in-text.ts'

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
