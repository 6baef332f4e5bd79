import type { RuntimeConfiguration } from '../requests.ts'
import type { Site } from '../site.ts'
import type { Track } from './queue.ts'

/** Chromium says how a document came, and when it was shown if that was later. */
type Navigation = PerformanceNavigationTiming & { deliveryType?: string; activationStart?: number }

/** Reports navigations without `history`, in browsers that have it. */
type NavigatingWindow = Window & { navigation?: EventTarget }

/** Limits the navigations kept until the configuration arrives. */
const earlyMax = 50

interface PageViews {
  /** Called with the page's address, now and after each navigation. */
  moved: (url: string) => void
  /** Records earlier and later views; none if `tracking.autoPageview` is off. */
  begin: (configuration: RuntimeConfiguration | null) => void
}

/**
 * Records page views unasked (docs/script.md): one for the page, one for each change of path or query
 * since, one after a return from the back/forward cache. Nothing is recorded while the page is prerendering. The first
 * says which other site led here, since no request to the box tells.
 */
export function pageViews(site: Site, track: Track): PageViews {
  const early: string[] = []
  let seen = ''
  let take = (url: string): void => {
    if (early.length < earlyMax) early.push(url)
  }

  const view = site.guarded((url: string) => {
    const address = url.replace(/#.*/, '')
    if (address === seen) return
    const isFirst = !seen
    seen = address
    if (!isFirst) track({ event: '$pageview' }, url)
    else if (!recordedByTheEdge(site)) track({ event: '$pageview', properties: cameFrom() }, url)
  })

  const start = (): void => {
    take = view
    // Nobody saw the addresses of a page while it was prerendering.
    if (navigation()?.activationStart) view(location.href)
    else early.forEach(view)
    ;(window as NavigatingWindow).navigation?.addEventListener('currententrychange', () => view(location.href))
    const returned = site.guarded(() => track({ event: '$pageview' }, location.href))
    addEventListener('pageshow', ({ persisted }) => persisted && returned())
  }

  return {
    moved: (url) => take(url),
    begin(configuration) {
      const { enabled, autoPageview } = configuration?.tracking ?? {}
      if (!enabled || !autoPageview) take = () => {}
      else if (document.prerendering) document.addEventListener('prerenderingchange', start)
      else start()
    },
  }
}

/** The other site's origin alone: its pages' addresses may say who the visitor is. */
function cameFrom(): { referrer?: string } {
  const referrer = /^https?:\/\/[^/?#@]+/.exec(document.referrer)?.[0]
  return referrer && referrer !== location.origin ? { referrer } : {}
}

const navigation = () => performance.getEntriesByType('navigation')[0] as Navigation | undefined

/**
 * The box that served this script has also served this page, and counted it while doing so, a revalidated copy (304)
 * included; unless the page came out of the cache unasked (nothing transferred), a prefetch or a prerender, which the
 * edge does not count.
 */
function recordedByTheEdge({ origin }: Site): boolean {
  const { deliveryType, activationStart, transferSize } = navigation() ?? {}
  const fetchedAhead = deliveryType === 'navigational-prefetch' || activationStart
  return origin === location.origin && transferSize !== 0 && !fetchedAhead
}
