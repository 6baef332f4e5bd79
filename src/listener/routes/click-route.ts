import { ClickNotStored, captureClick } from '../../capture/click.ts'
import { SharedHeaders } from '../answer/answers.ts'
import { smallPage, wayOn } from '../answer/small-page.ts'
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

const brokenLink = ({ site }: SiteArrival): Response =>
  smallPage({
    site,
    links: wayOn(site, { language: 'en' }),
    status: 404,
    title: 'This link does not work',
    text: 'It may have been cut off on its way to you. Try to copy the whole of it from the message.',
  })

const refusedDestination = ({ site }: SiteArrival): Response =>
  smallPage({
    site,
    links: wayOn(site, { language: 'en' }),
    status: 403,
    title: 'This link leads elsewhere',
    text: 'It points to an address that this site does not forward to, so it stops here.',
  })

/** Never a 302 for a click that is not on disk; the person still gets where they wanted to go. */
const notStored = ({ site }: SiteArrival, destination: string): Response =>
  smallPage({
    site,
    status: 503,
    title: 'Just one more step',
    text: 'We could not forward you by ourselves right now. Please follow this link:',
    links: [{ href: destination, label: destination }],
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
