import type { Redirect } from '../account/redirect.ts'
import { hasTimes } from '../asset/asset.ts'
import { isServicePath, liveAmong, type Way, type Ways, wayOf, waysOf } from '../asset/ways.ts'
import { Suggestions } from '../lib/suggestion.ts'
import type { FolderAsset } from './folder-assets.ts'
import { onwardMax, walkRedirects } from './redirect-walk.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenRedirect } from './site-schema.ts'

interface Surroundings {
  domains: readonly string[]
  home: string | null
  assets: readonly FolderAsset[]
}

/** The redirects of a folder. Reports those that would be shadowed, lead nowhere or in a loop. */
export function folderRedirects(
  written: readonly WrittenRedirect[],
  around: Surroundings,
  report: FolderReport,
): Redirect[] {
  if (written.length === 0) return []
  report.twins(written, 'from', ({ from }) => from)
  const redirects = written.map(({ value: { from, to, status } }) => ({ from, to, status }))
  const { domains, home, assets } = around
  // A redirect takes the visitors of a page with times while the page is not live.
  const isAlwaysLive = liveAmong(assets.filter((asset) => !hasTimes(asset)))
  const always = waysOf({ home, redirects: [] }, isAlwaysLive)
  const ways = waysOf({ home, redirects }, isAlwaysLive)
  const atTimes = waysOf({ home, redirects: [] }, liveAmong(assets))
  const missing = missingAmong(assets)
  for (const redirect of written) {
    const { from, to } = redirect.value
    if (endsOpen(to) && !endsOpen(from)) report.key(redirect.place('to'), 'ends in /*, which takes a from that does')
    const taken = takenBy(from, wayOf(always, browserPath(from)))
    if (taken !== null) report.key(redirect.place('from'), taken)
    else checkTarget(redirect, { ways, atTimes, domains, missing }, report)
  }
  return redirects
}

const endsOpen = (path: string): boolean => (path.split(/[?#]/, 1)[0] ?? '').endsWith('/*')

/** As a URL spells a decoded path. */
const browserPath = (from: string): string => from.split('/').map(encodeURIComponent).join('/')

/** Why nobody would ever be redirected from a path; `null`: visitors will be. */
function takenBy(from: string, way: Way): string | null {
  if (isServicePath(from)) return `${from} belongs to the service`
  if (way.to === 'page') return `${from} is the live page "${way.slug}", which wins: rename or remove one of them`
  return way.to === 'download' ? `${from} is the live ${way.kind} "${way.name}", which wins` : null
}

interface TargetCheck extends Pick<Surroundings, 'domains'> {
  ways: Ways
  /** With the pages that are live at times alone. */
  atTimes: Ways
  missing: (target: string) => string
}

/**
 * Follows a redirect as a visitor would. For one that ends in `/*` that is an address which no page and no other redirect
 * names: where such an address ends, all do, unless a more exact redirect takes them, which is followed on its own.
 */
function checkTarget(
  { value: { from, to }, place }: WrittenRedirect,
  { ways, atTimes, domains, missing }: TargetCheck,
  report: FolderReport,
): void {
  const { paths, end } = walkRedirects(ways, browserPath(from), domains)
  const [, target] = paths
  if (end === 'loop') report.key(place('to'), `leads in a loop: ${paths.join(' → ')}`)
  else if (end === 'endless')
    report.key(
      place('to'),
      `leads on through more than ${onwardMax} redirects, or for ever: name the last address here`,
    )
  else if (end === 'nowhere' && target !== undefined && paths.length === 2 && !endsOpen(to)) {
    if (wayOf(atTimes, target).to === 'nowhere') report.key(place('to'), missing(target))
  }
}

/** What is wrong with a path that leads nowhere. */
function missingAmong(assets: readonly FolderAsset[]): (target: string) => string {
  const pages = new Set(assets.flatMap(({ kind, name }) => (kind === 'page' ? [name] : [])))
  const suggestions = new Suggestions([...pages])
  return (target) => {
    const [path = ''] = target.split('?', 1)
    const slug = path.slice(1)
    if (pages.has(slug)) return `${path} is in preview: visitors would get 404`
    const meant = suggestions.nearestTo(slug)
    return `there is nothing at ${path}${meant === null ? '' : `; did you mean /${meant}?`}`
  }
}
