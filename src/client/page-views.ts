import type { Track } from './queue.ts'
import type { Site } from './site.ts'

/** Chromium says how a document came, and when it was shown if that was later. */
type Navigation = PerformanceNavigationTiming & { deliveryType?: string; activationStart?: number }

/**
 * The file `/_svc/p.js`, loaded where `tracking.autoPageview` is on.
 *
 * Records page views unasked (contract section 7, Page views): one now, one for each change of path or query through
 * `history`, one after a return from the back/forward cache. Nothing is recorded while the page is prerendering. The
 * first says which other site led here, since no request to the box tells.
 */
export function watchPageViews(site: Site, track: Track): void {
  let seen = address()

  const moved = site.guarded(() => {
    if (address() === seen) return
    seen = address()
    track('$pageview')
  })

  const start = site.guarded(() => {
    if (!recordedByTheEdge(site)) track('$pageview', cameFrom())
    for (const name of ['pushState', 'replaceState'] as const) {
      const original = history[name]
      history[name] = (...args) => {
        original.apply(history, args)
        moved()
      }
    }
    addEventListener('popstate', moved)
    addEventListener(
      'pageshow',
      site.guarded((event: PageTransitionEvent) => event.persisted && track('$pageview')),
    )
  })

  if (document.prerendering) document.addEventListener('prerenderingchange', start)
  else start()
}

/** A move within the page is no view of another. */
const address = (): string => location.pathname + location.search

/** The other site's origin alone: its pages' addresses may say who the visitor is. */
function cameFrom(): { referrer?: string } {
  const referrer = /^https?:\/\/[^/?#@]+/.exec(document.referrer)?.[0]
  return referrer && referrer !== location.origin ? { referrer } : {}
}

/**
 * The box that served this script has also served this page, and counted it while doing so, a revalidated copy (304)
 * included; unless the page came out of the cache unasked (nothing transferred), a prefetch or a prerender, which the
 * edge does not count.
 */
function recordedByTheEdge({ origin }: Site): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as [Navigation?]
  const fetchedAhead = navigation?.deliveryType === 'navigational-prefetch' || navigation?.activationStart
  return origin === location.origin && navigation?.transferSize !== 0 && !fetchedAhead
}
