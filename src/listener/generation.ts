import type { CertificatePair, PairText } from '../https/certificate-pair.ts'
import type { Entrance } from './entrance.ts'
import { type ListenAddress, serveOptions } from './serve-options.ts'
import { stopGently } from './stop-gently.ts'

interface GenerationParts {
  entrance: Entrance
  /** Answers a request whose answer could not be sent. */
  failed: (error: unknown) => Response
  address: ListenAddress
  http2: boolean
  hstsSeconds: number
  defaultPair: PairText
  pairs: CertificatePair[]
}

/** One server on the port of HTTPS, with the certificates that it was made with. */
export class Generation {
  readonly hosts: ReadonlySet<string>
  private readonly server: Bun.Server<undefined>
  private draining = false

  constructor({ entrance, failed, address, http2, hstsSeconds, defaultPair, pairs }: GenerationParts) {
    this.hosts = new Set(pairs.map(({ host }) => host))
    const hsts = hstsSeconds === 0 ? null : `max-age=${hstsSeconds}`
    this.server = Bun.serve({
      ...serveOptions(address),
      http2,
      tls: [tlsOf(defaultPair), ...pairs.map((pair) => ({ ...tlsOf(pair), serverName: pair.host }))],
      error: (error) => failed(error),
      fetch: (request, server) => {
        const answer = entrance.answer(request, server)
        if (hsts === null && !this.draining) return answer
        return answer instanceof Promise
          ? answer.then((answer) => this.marked(answer, hsts))
          : this.marked(answer, hsts)
      },
    })
  }

  /** From now on each answer asks its client to connect anew, which leads to the generation after. */
  drain(): void {
    this.draining = true
  }

  /** Closes what is idle; resolves when the last answer has left. */
  ended(): Promise<void> {
    return this.server.stop()
  }

  stop(graceMs: number): Promise<void> {
    return stopGently(this.server, graceMs)
  }

  private marked(answer: Response, hsts: string | null): Response {
    if (hsts !== null) answer.headers.set('strict-transport-security', hsts)
    if (this.draining) answer.headers.set('connection', 'close')
    return answer
  }
}

/** TLS 1.2 and 1.3 alone (RFC 8996); Bun's own least is the same. */
const tls12 = 0x0303

const tlsOf = ({ certificate, key }: PairText) => ({ cert: certificate, key, minVersion: tls12 })
