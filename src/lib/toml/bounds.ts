import { count } from '../quantities.ts'
import type { TomlFault } from './fault.ts'

/** More than any document needs; the parser takes about a second for so many. */
const charactersMax = 1_048_576
const valuesMax = 50_000
/** Lists and tables within each other. The parser calls itself for each. */
export const depthMax = 64

/**
 * What makes a document too large or too deep to be parsed; `null`: nothing. Looks at each character once. Where a text is
 * not TOML, it may end early: so does the parser.
 */
export function boundFault(text: string): TomlFault | null {
  if (text.length > charactersMax) return { line: null, key: null, message: tooLong }
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '#') at = endOr(text.indexOf('\n', at), text)
    else if (character === '"' || character === "'") at = stringEnd(text, at) - 1
    else if (character === ']' || character === '}') depth--
    else if (character === '[' || character === '{') {
      depth++
      values++
    } else if (character === '=' || character === ',') values++
    if (depth > depthMax) return { line: lineAt(text, at), key: null, message: tooDeep }
    if (values > valuesMax) return { line: lineAt(text, at), key: null, message: tooMany }
  }
  return null
}

const tooLong = `has more than ${count(charactersMax)} characters`
const tooMany = `has more than ${count(valuesMax)} keys, tables and list items up to this line`
export const tooDeep = `lists and tables go deeper than ${depthMax} levels`

/** Behind the string that begins here. */
export function stringEnd(text: string, from: number): number {
  const quote = text.charAt(from)
  const long = quote.repeat(3)
  if (text.startsWith(long, from)) return longStringEnd(text, from + 3, long)
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === quote) return at + 1
    if (text[at] === '\n') break
    if (text[at] === '\\' && quote === '"') at++
  }
  return text.length
}

function longStringEnd(text: string, from: number, long: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\' && long === '"""') at++
    else if (text.startsWith(long, at)) {
      let end = at + long.length
      // Its last characters may be quotes too.
      while (text[end] === long[0]) end++
      return end
    }
  }
  return text.length
}

export const endOr = (at: number, text: string): number => (at === -1 ? text.length : at)

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length
