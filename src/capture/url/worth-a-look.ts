/** A token has at least so many characters (docs/events.md). */
export const tokenCharsMin = 24
/** A phone number has at least so many digits. */
export const phoneDigitsMin = 7

/** A card number has at least so many; one bare run of fewer is nothing. */
const cardDigitsMin = 13

const percent = 0x25
const plus = 0x2b
const at = 0x40
const equals = 0x3d

/**
 * Whether a part of a serialised URL could hold anything personal by value: the one cheap pass that spares a harmless
 * part all others. Errs towards yes.
 */
export function worthALook(text: string): boolean {
  let digits = 0
  let digitsEnd = 0
  let isBare = true
  let run = 0
  let pairs = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x30 && code <= 0x39) {
      if (digits > 0 && digitsEnd < i) isBare = false
      digitsEnd = i + 1
      if (++digits >= (isBare ? cardDigitsMin : phoneDigitsMin)) return true
      run++
    } else if (code === percent || code === at) {
      return true
    } else if (code === equals) {
      if (++pairs > 1) return true
      run = 0
    } else if (isRunCharacter(code)) {
      if (code === plus) isBare = false
      run++
    } else {
      run = 0
    }
    // Without a digit it is no token; the digit may stand before it, in another part of a JWT.
    if (run >= tokenCharsMin && digits > 0) return true
  }
  return false
}

/** Letters, `_` and `+` to `/`: with digits, what tokens and JWTs are written in. */
function isRunCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || (code >= 0x2b && code <= 0x2f)
  )
}
