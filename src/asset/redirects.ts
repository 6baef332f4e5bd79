import type { Redirect, RedirectStatus } from '../account/redirect.ts'

/** An answer that leads to another address. */
export interface Onward {
  /** A path of the same site, or an absolute address; ASCII. */
  location: string
  status: RedirectStatus
}

/** An account's redirects, to be looked up by path. */
export interface RedirectTable {
  exact: ReadonlyMap<string, Target>
  /** Those that end in `/*`, by what stands before it. */
  below: ReadonlyMap<string, Target>
  /** Segments of the deepest of those. */
  depthMax: number
}

interface Target {
  /** The address without query and fragment, and without the asterisk. */
  base: string
  takesRest: boolean
  /** Without `?`. */
  query: string
  /** With `#`, or empty. */
  fragment: string
  status: RedirectStatus
}

const restSign = '/*'

export function compileRedirects(redirects: readonly Redirect[]): RedirectTable {
  const exact = new Map<string, Target>()
  const below = new Map<string, Target>()
  for (const redirect of redirects) {
    const { from } = redirect
    if (from.endsWith(restSign)) below.set(from.slice(0, -restSign.length), targetOf(redirect))
    else exact.set(from, targetOf(redirect))
  }
  return { exact, below, depthMax: Math.max(0, ...[...below.keys()].map((path) => path.split('/').length - 1)) }
}

function targetOf({ to, status }: Redirect): Target {
  const [address = '', fragment] = split(to, '#')
  const [path = '', query = ''] = split(address, '?')
  const takesRest = path.endsWith(restSign)
  return {
    base: takesRest ? path.slice(0, -1) : path,
    takesRest,
    query,
    fragment: fragment === undefined ? '' : `#${fragment}`,
    status,
  }
}

/** The text before the first mark and the text behind it. */
function split(text: string, mark: string): string[] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** A path as it came, and how redirects and slugs name its segments. */
export interface ReadPath {
  /** As in the URL: percent-encoded. */
  raw: readonly string[]
  decoded: readonly string[]
  /** Whether it ends in a slash; `/` alone does not. */
  isSlashed: boolean
}

/**
 * Reads the path of a parsed URL. `null`: it holds an empty segment, or one that is malformed or hides a slash. Nothing of a
 * site has such an address, and a redirect that passed it on could lead off the site.
 */
export function readPath(pathname: string): ReadPath | null {
  const isSlashed = pathname.length > 1 && pathname.endsWith('/')
  const raw = pathname === '/' ? [] : pathname.slice(1, isSlashed ? -1 : undefined).split('/')
  const decoded = raw.map(decodedSegment)
  return decoded.every((segment) => segment !== null) ? { raw, decoded, isSlashed } : null
}

function decodedSegment(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment).normalize('NFC')
    return text === '' || /[/\\\p{Cc}]/u.test(text) ? null : text
  } catch {
    return null
  }
}

/**
 * Where a path is redirected; `null`: nowhere. An exact redirect goes before one of everything below a path, and of those the
 * longest.
 *
 * @param search the request's query with its `?`, or empty
 */
export function redirectOf(table: RedirectTable, path: ReadPath, search: string): Onward | null {
  const { raw, decoded, isSlashed } = path
  const exact = table.exact.get(`/${decoded.join('/')}`)
  if (exact !== undefined) return onward(exact, '', search)
  for (let depth = Math.min(decoded.length - 1, table.depthMax); depth >= 0; depth--) {
    const target = table.below.get(
      decoded
        .slice(0, depth)
        .map((segment) => `/${segment}`)
        .join(''),
    )
    if (target !== undefined) return onward(target, raw.slice(depth).join('/') + (isSlashed ? '/' : ''), search)
  }
  return null
}

function onward({ base, takesRest, query, fragment, status }: Target, rest: string, search: string): Onward {
  const joined = joinedQuery(query, search.slice(1))
  return { location: `${base}${takesRest ? rest : ''}${joined && `?${joined}`}${fragment}`, status }
}

/** The visitor's query goes along unchanged; of the redirect's own, the parameters that the visitor does not bring. */
function joinedQuery(own: string, asked: string): string {
  if (own === '' || asked === '') return own || asked
  const names = new Set(new URLSearchParams(asked).keys())
  const kept = own.split('&').filter((pair) => ![...new URLSearchParams(pair).keys()].some((name) => names.has(name)))
  return [...kept, asked].join('&')
}
