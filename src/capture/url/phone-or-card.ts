import { numberRuns } from './number-run.ts'
import { isOtherNumber, withoutDates } from './other-number.ts'
import { phoneDigitsMin } from './worth-a-look.ts'

/** The longest number of ITU-T E.164. */
const phoneDigitsMax = 15
/** ISO/IEC 7812. */
const cardDigitsMin = 13
const cardDigitsMax = 19

/**
 * Whether the text holds a phone number (7 to 15 digits with a `+` or separators) or a card number (13 to 19 digits that
 * pass Luhn), anywhere in a row of numbers (docs/events.md). `other-number.ts` recognises similar texts such as dates, IP
 * addresses and decimal numbers.
 */
export function holdsPhoneOrCard(text: string): boolean {
  for (const run of numberRuns(text)) {
    if (run.digits < phoneDigitsMin || isOtherNumber(run)) continue
    for (const { groups, plus } of withoutDates(run)) {
      if (holdsPhone(groups, plus) || holdsCard(groups)) return true
    }
  }
  return false
}

/** Whether neighbouring groups make up a phone number; a single one does only after a `+`. */
function holdsPhone(groups: string[], plus: boolean[]): boolean {
  for (let first = 0; first < groups.length; first++) {
    let digits = 0
    for (let last = first; last < groups.length && digits <= phoneDigitsMax; last++) {
      digits += (groups[last] ?? '').length
      const written = last > first || plus[first] === true
      if (written && digits >= phoneDigitsMin && digits <= phoneDigitsMax) return true
    }
  }
  return false
}

function holdsCard(groups: string[]): boolean {
  for (let first = 0; first < groups.length; first++) {
    let number = ''
    for (let last = first; last < groups.length && number.length <= cardDigitsMax; last++) {
      number += groups[last] ?? ''
      if (number.length >= cardDigitsMin && number.length <= cardDigitsMax && passesLuhn(number)) return true
    }
  }
  return false
}

function passesLuhn(number: string): boolean {
  let sum = 0
  for (let i = 0; i < number.length; i++) {
    const digit = number.charCodeAt(number.length - 1 - i) - 0x30
    const weighed = i % 2 === 1 ? digit * 2 : digit
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}
