import { Histogram, type MetricFamily } from '../lib/metrics.ts'

/** Values of the label `endpoint`. */
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

/** In seconds. A page takes tenths of a millisecond, a capture one wait for the disk, and nothing more than about 5 s. */
const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Exposed from the start, because Prometheus misses the first increase of a new series. */
const statusesOfFaults = [500, 503]
/** HTTP statuses have three digits (RFC 9110 section 15). */
const statusesMax = 1000

/** The requests of one endpoint, by status and by duration. */
class EndpointFigures {
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

export class RequestFigures {
  inFlight = 0
  private readonly byEndpoint = new Map(endpoints.map((endpoint) => [endpoint, new EndpointFigures()]))

  /** Call once per route, at registration. */
  of(endpoint: Endpoint): EndpointFigures {
    return this.byEndpoint.get(endpoint) as EndpointFigures
  }

  families(): MetricFamily[] {
    const figures = [...this.byEndpoint]
    return [
      {
        name: 'capture_requests',
        type: 'counter',
        help: 'Requests answered, by endpoint and status.',
        samples: figures.flatMap(([endpoint, of]) =>
          of.counts().map(({ code, count }) => ({ labels: { endpoint, code }, value: count })),
        ),
      },
      {
        name: 'capture_request_seconds',
        type: 'histogram',
        unit: 'seconds',
        help: 'Time from a request to its answer, without sending the body.',
        samples: figures.map(([endpoint, of]) => ({ labels: { endpoint }, value: of.durations() })),
      },
    ]
  }
}
