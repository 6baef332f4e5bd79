/** Nested redirects reach four. Text encoded more deeply is not decoded. */
const decodePassesMax = 4

const encodedByte = /%(?:[0-9a-f]{2}|u[0-9a-f]{4})/i
const encodedRuns = /%u[0-9a-f]{4}|(?:%[0-9a-f]{2})+/gi
const asciiOnly = /^[\x20-\x7e]*$/
const lenientUtf8 = new TextDecoder()

/**
 * What a reader would see in a part of a URL: percent-decoded until nothing changes (invalid sequences stay as they
 * are), and with the look-alikes of ASCII folded. `+` stays, since it may be a space or a plus. `null`: encoded too deeply.
 */
export function decodedText(text: string): string | null {
  let decoded = text
  for (let pass = 0; decoded.includes('%') && encodedByte.test(decoded); pass++) {
    if (pass === decodePassesMax) return null
    decoded = decodedOnce(decoded)
  }
  return asciiOnly.test(decoded) ? decoded : foldedText(decoded)
}

/** One pass of percent-decoding, that of `escape` (`%u0040`) included. Never throws. */
export function decodedOnce(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(encodedRuns, (run) =>
      run[1] === 'u' || run[1] === 'U'
        ? String.fromCharCode(Number.parseInt(run.slice(2), 16))
        : lenientUtf8.decode(Uint8Array.from(run.slice(1).split('%'), (byte) => Number.parseInt(byte, 16))),
    )
  }
}

/** Full-width forms, other scripts' digits, dashes and dots as ASCII; what has no width is gone. */
function foldedText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, (c) => (c === '\t' || c === '\n' ? ' ' : ''))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\u3002\uff61\u06d4]/gu, '.')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/\p{Nd}/gu, asciiDigit)
}

/** Unicode keeps the ten digits of a script together and in order, so that the distance from the first is the value. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  if (code < 0x80) return digit
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}
