import { type Way, type Ways, wayOf } from '../asset/ways.ts'
import { isOwn } from './references/own-path.ts'

/** Browsers give up after about twenty. */
export const onwardMax = 10

interface Walk {
  /** The paths from the first to the last, each with its query. */
  paths: readonly string[]
  /** `elsewhere`: off the account's domains; `endless`: on through more than `onwardMax` redirects. */
  end: Exclude<Way['to'], 'redirect'> | 'elsewhere' | 'loop' | 'endless'
}

/** Follows the redirects of an account's domains from a path as a visitor would. */
export function walkRedirects(ways: Ways, from: string, domains: readonly string[]): Walk {
  const paths = [from]
  for (let at = from; paths.length <= onwardMax; paths.push(at)) {
    const way = wayOf(ways, at)
    if (way.to !== 'redirect') return { paths, end: way.to }
    const next = pathOn(domains, way.location)
    if (next === null) return { paths, end: 'elsewhere' }
    if (paths.includes(next)) return { paths: [...paths, next], end: 'loop' }
    at = next
  }
  return { paths, end: 'endless' }
}

/** The path without its fragment; `null`: the address leads off the account's domains. */
function pathOn(domains: readonly string[], location: string): string | null {
  const url = URL.parse(location, 'https://site.invalid')
  if (url === null || !(location.startsWith('/') || isOwn(url, domains))) return null
  return url.pathname + url.search
}
