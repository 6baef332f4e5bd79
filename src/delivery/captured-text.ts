/**
 * Invisible characters that change how the text around them is read: controls other than tab and line feed (C0, C1),
 * bidirectional overrides, embeddings, isolates and marks (Unicode Standard Annex 9), and interlinear annotations.
 */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g

/** A stranger's text, safe to show: lines end in `\n`, and no character is invisible. */
export const capturedText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(unseen, '')

/** The same on one line, at most so many characters long; `…` marks the cut. */
export function capturedLine(text: string, charactersMax: number): string {
  // The rest would be cut anyway.
  const line = capturedText(text.slice(0, 4 * charactersMax + 100))
    .replace(/\s+/g, ' ')
    .trim()
  return cutText(line, charactersMax)
}

/** Cuts between user-perceived characters, so that no emoji or accent is torn. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  let end = 0
  for (const { index, segment } of graphemes.segment(text.slice(0, charactersMax + 64))) {
    if (index + segment.length > charactersMax - 1) break
    end = index + segment.length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
