import { readPath } from '../asset/redirects.ts'
import type { Parsed } from '../lib/toml/shape.ts'

const fromExpected = 'a path such as "/spring", or "/old/*" for everything below /old'
const toExpected = 'a path such as "/autumn", or an https:// address'
const asteriskFault = 'must have no * but in /* at its end'

/** `from` of a redirect, decoded and without a final slash, so that each path has one spelling. */
export function parseRedirectFrom(text: string): Parsed<string> {
  if (/[?#]/.test(text)) return { fault: 'must be a path alone: the query goes along in any case' }
  const decoded = segmentsOf(pathUrl(text))
  if (decoded === null) return { expected: fromExpected }
  return hasStrayAsterisk(decoded) ? { fault: asteriskFault } : { value: `/${decoded.join('/')}` }
}

/** `to` of a redirect, as a URL spells it. */
export function parseRedirectTo(text: string): Parsed<string> {
  if (!text.startsWith('/')) return httpsTo(text)
  const url = pathUrl(text)
  const decoded = segmentsOf(url)
  if (url === null || decoded === null) return { expected: toExpected }
  return hasStrayAsterisk(decoded) ? { fault: asteriskFault } : { value: url.href.slice(url.origin.length) }
}

function httpsTo(text: string): Parsed<string> {
  const url = /^https:\/\/[^\s\\]+$/.test(text) ? URL.parse(text) : null
  if (url === null) return { expected: toExpected }
  const plain = url.username === '' && url.password === ''
  return plain ? { value: url.href } : { fault: 'must not hold a user name or password' }
}

const segmentsOf = (url: URL | null): readonly string[] | null =>
  url === null ? null : (readPath(url.pathname)?.decoded ?? null)

const hasStrayAsterisk = (decoded: readonly string[]): boolean =>
  decoded.some((segment, index) => segment.includes('*') && (segment !== '*' || index < decoded.length - 1))

const dots = /^(?:\.|%2e){1,2}$/i

/** A path that leads where it seems to: no second slash in front, no backslash, no `..` in any spelling. */
function pathUrl(text: string): URL | null {
  const [path = ''] = text.split(/[?#]/, 1)
  const isPlain = /^\/(?!\/)[^\s\\]*$/.test(text) && !path.split('/').some((segment) => dots.test(segment))
  return isPlain ? URL.parse(`http://site.invalid${text}`) : null
}
