const hyphen = 0x2d
const dot = 0x2e

/**
 * Whether the text holds an e-mail address: `@` with something before it and a domain with a dot after it, in any script.
 * A local part is not looked at any closer, since nearly every character is allowed in one. Where none is left (the `&`,
 * `/` or `?` that it ended with cut it off), the domain has to end in letters: `@52.5,13.4` is a place on a map.
 */
export function holdsEmail(text: string): boolean {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const domain = domainAt(text, at + 1)
    if (domain !== null && (hasLocalPart(text, at) || !endsInDigit(domain))) return true
  }
  return false
}

/** The name with at least one inner dot that begins at `start`. */
function domainAt(text: string, start: number): string | null {
  let lastDot = -1
  let end = start
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === dot) {
      if (end === start || lastDot === end - 1) break
      lastDot = end
    } else if (!isDomainCharacter(code)) break
  }
  // One dot at the end ends the sentence, or the root zone.
  if (end > start && lastDot === end - 1) {
    end--
    lastDot = text.lastIndexOf('.', end - 1)
  }
  return lastDot > start ? text.slice(start, end) : null
}

const hasLocalPart = (text: string, at: number): boolean => at > 0 && !/[/?&=;#\s@]/.test(text.charAt(at - 1))

const endsInDigit = (domain: string): boolean => /\d$/.test(domain)

function isDomainCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === hyphen ||
    code >= 0x80
  )
}
