import { Histogram } from '../lib/metrics/histogram.ts'
import type { MetricFamily } from '../lib/metrics/open-metrics.ts'

/** What was asked for, as the label `endpoint` says it. */
export const endpoints = [
  'form',
  'event',
  'click',
  'page',
  'image',
  'file',
  'script',
  'runtime_configuration',
  'bot_check',
  'preflight',
  'preview',
  'redirect',
  'other',
] as const
export type Endpoint = (typeof endpoints)[number]

/** In seconds: a page takes tenths of a millisecond, a capture one wait for the disk, and none more than some 5 s. */
const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Exposed from the start: Prometheus sees no rise in a series whose first value it has not seen. */
const statusesOfFaults = [500, 503]
/** Statuses of HTTP have three digits (RFC 9110 section 15). */
const statusesMax = 1000

/** The requests of one endpoint: by status, and by how long their answers took. */
export class EndpointFigures {
  private readonly byStatus = new Float64Array(statusesMax)
  private readonly seconds = new Histogram(secondsBounds)

  note(status: number, tookMs: number): void {
    this.byStatus[status] = (this.byStatus[status] ?? 0) + 1
    this.seconds.observe(tookMs / 1000)
  }

  counts(): { code: string; count: number }[] {
    return [...this.byStatus.entries()]
      .filter(([status, count]) => count > 0 || statusesOfFaults.includes(status))
      .map(([status, count]) => ({ code: `${status}`, count }))
  }

  durations() {
    return this.seconds.read()
  }
}

/** Counts requests in memory, from the start of the process on. */
export class RequestFigures {
  /** Requests that have no answer yet. */
  inFlight = 0
  private readonly byEndpoint = new Map(endpoints.map((endpoint) => [endpoint, new EndpointFigures()]))

  /** To be asked for once, when a route is registered. */
  of(endpoint: Endpoint): EndpointFigures {
    return this.byEndpoint.get(endpoint) as EndpointFigures
  }

  families(): MetricFamily[] {
    const figures = [...this.byEndpoint]
    return [
      {
        name: 'capture_requests',
        type: 'counter',
        help: 'Requests answered, by what was asked for and the status of the answer.',
        samples: figures.flatMap(([endpoint, of]) =>
          of.counts().map(({ code, count }) => ({ labels: { endpoint, code }, value: count })),
        ),
      },
      {
        name: 'capture_request_seconds',
        type: 'histogram',
        unit: 'seconds',
        help: 'Time from a request to its answer, without the sending of the body.',
        samples: figures.map(([endpoint, of]) => ({ labels: { endpoint }, value: of.durations() })),
      },
    ]
  }
}
