/**
 * The text without the characters at its ends that are among the given ones. A pattern such as ` +$` tries again at
 * each space of the text, which takes quadratic time.
 */
export function trimmedOf(characters: string, text: string): string {
  let from = 0
  let to = text.length
  while (from < to && characters.includes(text.charAt(from))) from++
  while (to > from && characters.includes(text.charAt(to - 1))) to--
  return text.slice(from, to)
}
