import type { CertificatePair, PairText } from '../https/certificate-pair.ts'
import type { Entrance } from './entrance.ts'
import { HostReader } from './host.ts'
import { type BindAddress, serveOptions } from './serve-options.ts'
import { stopGently } from './stop-gently.ts'

interface GenerationParts {
  entrance: Entrance
  /** Answers a request whose answer could not be sent. */
  failed: (error: unknown) => Response
  address: BindAddress
  http2: boolean
  hstsSeconds: number
  defaultPair: PairText
  pairs: CertificatePair[]
}

/** One server on the port of HTTPS, with the certificates that it was made with. */
export class Generation {
  readonly hosts: ReadonlySet<string>
  private readonly server: Bun.Server<undefined>
  private readonly hsts: string | null
  private readonly readHost = new HostReader()
  private draining = false

  constructor({ entrance, failed, address, http2, hstsSeconds, defaultPair, pairs }: GenerationParts) {
    this.hosts = new Set(pairs.map(({ host }) => host))
    this.hsts = hstsSeconds === 0 ? null : `max-age=${hstsSeconds}`
    this.server = Bun.serve({
      ...serveOptions(address),
      http2,
      tls: [tlsOf(defaultPair), ...pairs.map((pair) => ({ ...tlsOf(pair), serverName: pair.host }))],
      error: (error) => failed(error),
      fetch: (request, server) => {
        const answer = entrance.answer(request, server)
        if (this.hsts === null && !this.draining) return answer
        return answer instanceof Promise
          ? answer.then((answer) => this.marked(answer, request))
          : this.marked(answer, request)
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

  private marked(answer: Response, { headers }: Request): Response {
    if (this.hsts !== null && this.isOurs(headers.get('host'))) {
      answer.headers.set('strict-transport-security', this.hsts)
    }
    if (this.draining) answer.headers.set('connection', 'close')
    return answer
  }

  /** Whether the host has a certificate: for any other browsers ignore the header, since they were warned of ours. */
  private isOurs(host: string | null): boolean {
    const named = this.readHost.read(host)
    return named !== null && this.hosts.has(named.name)
  }
}

/** TLS 1.2 and 1.3 alone (RFC 8996); Bun's own least is the same. */
const tls12 = 0x0303

/**
 * Those of TLS 1.2 with forward secrecy and authenticated encryption (RFC 9325 section 4.2); without a list Bun offers
 * RSA key exchange and CBC too. TLS 1.3 has no others.
 */
const ciphers = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

const tlsOf = ({ certificate, key }: PairText) => ({ cert: certificate, key, minVersion: tls12, ciphers })
