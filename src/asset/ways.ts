import type { AccountSettings } from '../account/account.ts'
import { type AssetState, subjectOf } from './asset.ts'
import { type AddressedKind, type AssetKind, assetKinds, type PathKind, pathKinds } from './asset-kind.ts'
import { decodeAssetPath, isTooLong } from './asset-name.ts'
import { compileRedirects, type Onward, type ReadPath, type RedirectTable, readPath, redirectOf } from './redirects.ts'

/** Where a path of a site leads. */
export type Way =
  | { to: 'page'; slug: string }
  | { to: 'download'; kind: PathKind; name: string }
  | ({ to: 'redirect' } & Onward)
  /** A path of the service, which nothing of a site can have. */
  | { to: 'service' }
  | { to: 'nowhere' }

/** What visitors of a site can reach: one that is published, or one that a folder would publish. */
export interface Ways {
  home: string | null
  isLive: (kind: AddressedKind, name: string) => boolean
  redirects: RedirectTable
}

/** The ways of a site whose live assets are known by `isLive`. */
export const waysOf = (
  { home, redirects }: Pick<AccountSettings, 'home' | 'redirects'>,
  isLive: Ways['isLive'],
): Ways => ({ home, isLive, redirects: compileRedirects(redirects) })

/** Tells the live assets of a list. */
export function liveAmong(assets: Iterable<{ kind: AssetKind; name: string; state: AssetState }>): Ways['isLive'] {
  const live = new Set<string>()
  for (const { kind, name, state } of assets) if (state === 'live') live.add(subjectOf({ kind, name }))
  return (kind, name) => live.has(subjectOf({ kind, name }))
}

/** First segments of paths that belong to the service on every connected domain. */
const ofService: ReadonlySet<string> = new Set(['_svc', '_preview', '.well-known'])

export const isServicePath = (path: string): boolean => ofService.has(path.split('/', 2)[1] ?? '')

/**
 * Where a path leads. A live page wins over a redirect.
 *
 * @param target a path of the site as in a URL, such as `/spring?utm_source=mail`
 */
export function wayOf(ways: Ways, target: string): Way {
  const url = URL.parse(`http://site.invalid${target}`)
  const path = url && !isTooLong(url.pathname) ? readPath(url.pathname) : null
  if (!url || !path) return { to: 'nowhere' }
  const { decoded, isSlashed } = path
  const download = downloadOf(ways, url.pathname)
  if (download?.isLive) return { to: 'download', kind: download.kind, name: download.name }
  if (ofService.has(decoded[0] ?? '')) return { to: download === null ? 'service' : 'nowhere' }
  const slug = pageOf(ways, decoded)
  if (slug !== null && isSlashed) return { to: 'redirect', location: `/${slug}${url.search}`, status: 308 }
  if (slug !== null) return { to: 'page', slug }
  const onward = redirectOf(ways.redirects, path, url.search)
  return onward === null ? { to: 'nowhere' } : { to: 'redirect', ...onward }
}

function pageOf({ home, isLive }: Ways, decoded: ReadPath['decoded']): string | null {
  if (decoded.length > 1) return null
  const slug = decoded[0] ?? home
  return slug !== null && isLive('page', slug) ? slug : null
}

/** What a path names that is not a page's; `null`: it is none of theirs. */
function downloadOf({ isLive }: Ways, pathname: string) {
  const kind = pathKinds.find((kind) => pathname.startsWith(assetKinds[kind].path))
  if (kind === undefined) return null
  const name = decodeAssetPath(pathname.slice(assetKinds[kind].path.length)) ?? ''
  return { kind, name, isLive: isLive(kind, name) }
}
