import type { SiteArrival } from '../arrival.ts'
import { preflight } from '../cors.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { siteRequestOf } from '../site-request.ts'
import { refusedCapture } from './refused-capture.ts'

/** `OPTIONS` on a capture path. */
export function preflightRoute(parts: ListenerParts, endpoint: 'form' | 'event') {
  return (arrival: SiteArrival): Response => {
    const asked = siteRequestOf(arrival, parts)
    try {
      return preflight(asked)
    } catch (error) {
      return refusedCapture(error, { endpoint, asked }, parts)
    }
  }
}
