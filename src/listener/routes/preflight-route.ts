import type { SiteArrival } from '../arrival.ts'
import { preflight } from '../cors.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { visitOf } from '../visit.ts'
import { refusedCapture } from './refused-capture.ts'

/** `OPTIONS` on a capture path. */
export function preflightRoute(parts: ListenerParts, endpoint: 'form' | 'event') {
  return (arrival: SiteArrival): Response => {
    const visit = visitOf(arrival, parts)
    try {
      return preflight(visit)
    } catch (error) {
      return refusedCapture(error, { endpoint, visit }, parts)
    }
  }
}
