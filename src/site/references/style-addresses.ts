import { LineFeeds } from './line-feeds.ts'

/** An address within a text of several lines. */
export interface PlacedAddress {
  address: string
  /** Lines of the text before it. */
  lineFeeds: number
}

/** Comments, strings, `url(`, and what begins or ends an `@import`. A string or comment without an end reaches as far as it can. */
const token =
  /\/\*[\s\S]*?(?:\*\/|$)|"((?:[^"\\\n]+|\\[\s\S])*)"?|'((?:[^'\\\n]+|\\[\s\S])*)'?|(?<![\w-])url\((?:(?!\s*["'])((?:[^)\\]+|\\[\s\S])*))?|@import|@namespace[^;{}]*|[;{}]/gi

const anyAddress = /url\(|@import/i

/** The addresses that a style sheet loads, by `url()` and `@import` (CSS Syntax, section 4). */
export function styleAddresses(css: string): PlacedAddress[] {
  const found: PlacedAddress[] = []
  if (!anyAddress.test(css)) return found
  const lines = new LineFeeds(css)
  let expectsString = false
  for (const { 0: text, 1: double, 2: single, 3: unquoted, index } of css.matchAll(token)) {
    if (text.startsWith('/*')) continue
    const address = unquoted?.trim() || (expectsString ? (double ?? single) : undefined)
    if (address !== undefined) found.push({ address: unescaped(address), lineFeeds: lines.before(index) })
    const word = text.toLowerCase()
    expectsString = word === '@import' || (word === 'url(' && unquoted === undefined)
  }
  return found
}

/** CSS escapes: `\20 ` and `\)`. */
const unescaped = (text: string): string =>
  text.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex?: string, character?: string) =>
    hex === undefined ? (character ?? '') : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
  )

/** The addresses of `srcset` (HTML, "Parsing a srcset attribute"): a comma ends one only behind white space or a descriptor. */
export function srcsetAddresses(srcset: string): PlacedAddress[] {
  const found: PlacedAddress[] = []
  const lines = new LineFeeds(srcset)
  for (let at = pastSeparators(srcset, 0); at < srcset.length; at = pastSeparators(srcset, at)) {
    const word = /\S*/y
    word.lastIndex = at
    const text = word.exec(srcset)?.[0] ?? ''
    const address = withoutCommas(text)
    found.push({ address, lineFeeds: lines.before(at) })
    at += text.length
    if (address === text) at = descriptorsEnd(srcset, at)
  }
  return found
}

function pastSeparators(srcset: string, from: number): number {
  let at = from
  while (at < srcset.length && /[\s,]/.test(srcset[at] ?? '')) at += 1
  return at
}

function withoutCommas(text: string): string {
  let end = text.length
  while (text[end - 1] === ',') end -= 1
  return text.slice(0, end)
}

/** Commas within parentheses end nothing. */
function descriptorsEnd(srcset: string, from: number): number {
  let depth = 0
  for (let at = from; at < srcset.length; at += 1) {
    if (srcset[at] === '(') depth += 1
    else if (srcset[at] === ')') depth = Math.max(0, depth - 1)
    else if (srcset[at] === ',' && depth === 0) return at
  }
  return srcset.length
}
