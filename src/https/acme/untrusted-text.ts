/** C0, DEL, C1, zero-width characters, line and paragraph separators, and bidirectional controls. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu
const charactersMax = 400

/**
 * Sanitizes a server's text for one line of a log or terminal: removes control characters, which could rewrite earlier output,
 * and cuts it to the length of a sentence.
 */
export function cleanedText(text: string): string {
  // Cut first, to bound the work on huge texts.
  const line = text
    .slice(0, charactersMax * 4)
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax - 1).toWellFormed()}…`
}
