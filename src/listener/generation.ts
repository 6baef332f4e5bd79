import type { CertificatePair, PairText } from '../https/certificate-pair.ts'
import type { Entrance } from './entrance.ts'
import { HostReader } from './host.ts'
import { type BindAddress, serveOptions } from './serve-options.ts'
import { stopGently } from './stop-gently.ts'

interface GenerationParts {
  entrance: Entrance
  /** Answers a request after an error outside its handler. */
  failed: (error: unknown) => Response
  address: BindAddress
  http2: boolean
  hstsSeconds: number
  defaultPair: PairText
  pairs: CertificatePair[]
}

const hstsHeader = 'strict-transport-security'

/** One server on the HTTPS port, with a fixed set of certificates. */
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

  /** Makes each answer ask its client to reconnect, which leads to the next generation. */
  drain(): void {
    this.draining = true
  }

  /** Closes idle connections. Resolves when the last answer has been sent. */
  ended(): Promise<void> {
    return this.server.stop()
  }

  stop(graceMs: number): Promise<void> {
    return stopGently(this.server, graceMs)
  }

  private marked(answer: Response, { headers }: Request): Response {
    if (this.hsts !== null && !answer.headers.has(hstsHeader) && this.isOurs(headers.get('host'))) {
      answer.headers.set(hstsHeader, this.hsts)
    }
    if (this.draining) answer.headers.set('connection', 'close')
    return answer
  }

  /** Whether the host has a certificate. For other hosts browsers ignore the header after their certificate warning. */
  private isOurs(host: string | null): boolean {
    const named = this.readHost.read(host)
    return named !== null && this.hosts.has(named.name)
  }
}

/** Only TLS 1.2 and 1.3 (RFC 8996), which is also Bun's default minimum. */
const tls12 = 0x0303

/**
 * The ciphers of TLS 1.2 with forward secrecy and authenticated encryption (RFC 9325 section 4.2). By default Bun also offers RSA
 * key exchange and CBC. TLS 1.3 has only such ciphers.
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
