import type { JsonObject } from '../lib/json-value.ts'
import { holdsPhoneOrCard } from './url/phone-or-card.ts'

/** Digits of a phone number: the fewest that are dialled, and the most of ITU-T E.164. */
const digitsMin = 7
const digitsMax = 15

const phoneCharacters = /^\+?[\d ()./-]+$/
/** Names of fields whose value is a phone number even without separators, in the languages of the box. */
const phoneName =
  /phone|fono|telef|(?<![a-z])tel(?![a-z])|mobil|m[oó]vil|handy|cellul|(?<![a-z])cell(?![a-z])|whatsapp|gsm|kom[oó]rk/i

/** The phone numbers in fields that hold one and nothing else, as they were sent. */
export const phoneNumbersIn = (fields: JsonObject): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    // Fields of one name are sent as a list.
    [value].flat().flatMap((sent) => {
      if (typeof sent !== 'string' && typeof sent !== 'number') return []
      const text = String(sent).trim()
      const { length } = digitsOf(text)
      if (length < digitsMin || length > digitsMax || !phoneCharacters.test(text)) return []
      return holdsPhoneOrCard(text) || phoneName.test(name) ? [text] : []
    }),
  )

export const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** Whether two numbers are one: written with the country's code or, by one of them, without. */
export function isSamePhone(one: string, other: string): boolean {
  const [first, second] = [dialled(one), dialled(other)]
  if (first.isInternational === second.isInternational) return first.digits === second.digits
  const [abroad, home] = first.isInternational ? [first, second] : [second, first]
  const code = abroad.digits.length - home.digits.length
  return home.digits.length >= digitsMin && code >= 1 && code <= countryDigitsMax && abroad.digits.endsWith(home.digits)
}

/** Of a country's code (ITU-T E.164). */
const countryDigitsMax = 3

/** Without the `+` or `00` of a country's code, and without the `0` of a number at home or in brackets behind that. */
function dialled(text: string): { digits: string; isInternational: boolean } {
  const digits = digitsOf(text.replace('(0)', ''))
  if (text.startsWith('+')) return { digits, isInternational: true }
  if (digits.startsWith('00')) return { digits: digits.slice(2), isInternational: true }
  return { digits: digits.replace(/^0/, ''), isInternational: false }
}
