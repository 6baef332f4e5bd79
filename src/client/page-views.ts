import type { Track } from './events.ts'
import type { Site } from './site.ts'

/** Chromium's `deliveryType` is empty for a document that came from the network just now. */
type Navigation = PerformanceNavigationTiming & { deliveryType?: string; activationStart?: number }

/**
 * Records page views unasked (contract section 7, Page views): one now, one for each change of path or query through
 * `history`, one after a return from the back/forward cache. Nothing is recorded while the page is prerendering.
 */
export function watchPageViews(site: Site, track: Track): void {
  let seen = address()
  const view = () => track('$pageview')

  const moved = site.guarded(() => {
    if (address() === seen) return
    seen = address()
    view()
  })

  const start = site.guarded(() => {
    if (!recordedByTheEdge(site)) view()
    for (const name of ['pushState', 'replaceState'] as const) {
      const original = history[name]
      history[name] = function (...args) {
        original.apply(this, args)
        moved()
      }
    }
    addEventListener('popstate', moved)
    addEventListener(
      'pageshow',
      site.guarded((event: PageTransitionEvent) => event.persisted && view()),
    )
  })

  if (document.prerendering) document.addEventListener('prerenderingchange', start, { once: true })
  else start()
}

/** A move within the page is no view of another. */
const address = (): string => location.pathname + location.search

/**
 * The box that served this script has also served this page, and counted it while doing so; unless the page came out
 * of a cache, a prefetch or a prerender, which the edge does not count.
 */
function recordedByTheEdge({ origin }: Site): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as [Navigation?]
  return origin === location.origin && !navigation?.deliveryType && !navigation?.activationStart
}
