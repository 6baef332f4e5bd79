/** One attribute of a start tag: what stands before it, its name, and its value in double, single or no quotes. */
const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?/y

/**
 * The text, which begins with a start tag, with the value of that tag's first `href` replaced and every other character
 * as it was. `null`: the tag is written in a way that is not understood. The new value holds no quotes.
 */
export function withHref(text: string, href: string): string | null {
  attribute.lastIndex = /^<[^\s/>]+/.exec(text)?.[0].length ?? 0
  for (let at = attribute.lastIndex; at > 0; at = attribute.lastIndex) {
    const match = attribute.exec(text)
    if (match === null) return null
    const [whole, name = '', double, single, bare] = match
    if (name.toLowerCase() !== 'href') continue
    const value = double ?? single ?? bare
    if (value === undefined) return null
    const end = at + whole.length - (bare === undefined ? 1 : 0)
    const start = end - value.length
    return text.slice(0, start) + (bare === undefined ? href : `"${href}"`) + text.slice(end)
  }
  return null
}
