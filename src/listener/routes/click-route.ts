import { ClickNotStored, captureClick } from '../../capture/click.ts'
import { textsOf } from '../../language/language.ts'
import { SharedHeaders } from '../answer/answers.ts'
import { languageFor, smallPage, wayOn } from '../answer/small-page.ts'
import { newIdentityCookie, type SiteArrival, siteRequestOf } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'

/** The `Retry-After` for a click that could not be stored. */
const retryAfterSeconds = 2

/** `GET /_svc/c/<token>`: `HEAD`, prefetchers and mail scanners get the same answer; their verdict tells them apart. */
export function clickRoute(parts: ListenerParts) {
  const redirectHeaders = new SharedHeaders((location) => ({
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }))
  const redirect = (destination: string, cookie: string | null) =>
    new Response(null, { status: 302, headers: redirectHeaders.of(destination, cookie) })

  return async (arrival: SiteArrival, { token = '' }: Record<string, string>): Promise<Response> => {
    const asked = siteRequestOf(arrival, parts)
    const count = (check: string) =>
      parts.refusals.add(asked.account.id, { endpoint: 'click', check, origin: arrival.request.headers.get('origin') })
    try {
      const click = await captureClick(asked, { token, keys: parts.directory.signingKeys }, parts)
      if (click.outcome === 'redirect') {
        if (click.overBudget) count('budget')
        return redirect(click.destination, newIdentityCookie(asked, click.deviceId, parts))
      }
      if (click.outcome === 'unknown') return brokenLink(arrival)
      count('destination')
      return refusedDestination(arrival)
    } catch (error) {
      if (!(error instanceof ClickNotStored)) throw error
      count('storage')
      return notStored(arrival, error.destination)
    }
  }
}

function brokenLink(arrival: SiteArrival): Response {
  const language = languageFor(arrival)
  const { site } = arrival
  const links = wayOn(site, { language })
  return smallPage({ status: 404, language, site, links, ...textsOf(language).smallPages.linkBroken })
}

function refusedDestination(arrival: SiteArrival): Response {
  const language = languageFor(arrival)
  const { site } = arrival
  const links = wayOn(site, { language })
  return smallPage({ status: 403, language, site, links, ...textsOf(language).smallPages.linkElsewhere })
}

/** Never a 302 for a click that is not on disk; the person still gets where they wanted to go. */
function notStored(arrival: SiteArrival, destination: string): Response {
  const language = languageFor(arrival)
  return smallPage({
    status: 503,
    language,
    site: arrival.site,
    ...textsOf(language).smallPages.linkOneMoreStep,
    links: [{ href: destination, label: destination }],
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}
