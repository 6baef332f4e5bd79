import type { Attribution } from '../../ledger/entry.ts'
import { cleanPath } from './clean-path.ts'
import { cleanQuery } from './clean-query.ts'
import type { JudgedName } from './parameter-name.ts'

export interface CleanedUrl {
  url: string
  path: string
  /** With a port that is not the scheme's own. */
  host: string
  attribution: Attribution
}

/** A serialised address without its query that is longer is dropped; a longer query is dropped alone. */
export const urlCharsMax = 8192
/** Longer texts are not even parsed. No request that the box accepts holds one. */
export const rawUrlCharsMax = 65_536

/** What a host of the web is made of (RFC 1123, and `_`); the URL standard alone would let `+49…` through. */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

/**
 * An address as it may be stored (contract section 4, "`url` in `properties`"): without user info, fragment, attribution
 * parameters and whatever looks personal; serialised by the URL standard, and what is kept of the query byte for byte.
 * `null`: no absolute http(s) address. A host is never altered. Cleaning a cleaned address changes nothing.
 */
export function cleanUrl(raw: string, judge?: (rawName: string) => JudgedName): CleanedUrl | null {
  if (raw.length > rawUrlCharsMax) return null
  const parsed = URL.parse(raw)
  if (parsed === null) return null
  const { protocol, host } = parsed
  if ((protocol !== 'https:' && protocol !== 'http:') || !hostPattern.test(host)) return null

  const { pathname, search } = parsed
  const baseChars = protocol.length + 2 + host.length + pathname.length
  if (baseChars > urlCharsMax) return null
  const path = cleanPath(pathname)
  const base = protocol + '//' + host + path
  if (search.length < 2 || baseChars + search.length > urlCharsMax) return { url: base, path, host, attribution: {} }

  const { query, attribution } = cleanQuery(search.slice(1), judge)
  return { url: query === '' ? base : base + '?' + query, path, host, attribution }
}
