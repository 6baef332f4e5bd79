import type { Clock } from '../lib/clock.ts'
import type { Endpoint, RequestFigures } from '../operator/request-figures.ts'
import type { RouteContext, RouteHandler } from './on-site.ts'

interface MeterParts {
  requests: RequestFigures
  clock: Clock
  /** Answers a request whose handler threw. */
  failed: (error: unknown, request: Request) => Response
}

/** Counts a route's answers and their durations under the endpoint's name. */
export function metered({ requests, clock, failed }: MeterParts) {
  return (endpoint: Endpoint, route: RouteHandler): RouteHandler => {
    const figures = requests.of(endpoint)
    const noted = (response: Response, startedMs: number): Response => {
      requests.inFlight--
      figures.note(response.status, clock.monotonicMs() - startedMs)
      return response
    }
    return (context: RouteContext) => {
      const startedMs = clock.monotonicMs()
      requests.inFlight++
      const answered = begin(route, context, failed)
      if (!(answered instanceof Promise)) return noted(answered, startedMs)
      const { request } = context
      return answered.then(
        (response) => noted(response, startedMs),
        (error) => noted(failed(error, request), startedMs),
      )
    }
  }
}

function begin(route: RouteHandler, context: RouteContext, failed: MeterParts['failed']): Response | Promise<Response> {
  try {
    return route(context)
  } catch (error) {
    return failed(error, context.request)
  }
}
