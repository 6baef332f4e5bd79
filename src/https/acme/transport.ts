import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { boundedText } from '../../lib/bounded-text.ts'
import { connectionFault } from '../../lib/connection-fault.ts'
import { AcmeProblem } from './problem.ts'
import { cleanedText } from './untrusted-text.ts'

/** One request. At most `bytesMax` of its answer are read. */
export interface Exchange {
  method: 'GET' | 'HEAD' | 'POST'
  url: string
  /** For a POST, a signed message (RFC 7515). */
  body?: string
  bytesMax: number
}

/** A complete answer of any status. */
export interface Answer {
  /** The requested URL. */
  url: string
  status: number
  headers: Headers
  text: string
}

interface TransportParts {
  /** PEM of additional trusted roots; `null`: none. */
  trusted: string | null
  userAgent: string
  /** Limits an exchange from the connection to the last byte. */
  requestMsMax: number
}

/**
 * HTTPS to an authority (RFC 8555 section 6.1): never plain HTTP, always with a verified certificate, ignoring proxies in the
 * environment, without following redirects, bounded in time and size.
 */
export class Transport {
  private readonly options: BunFetchRequestInit

  /** @throws when `trusted` holds no certificate */
  constructor(private readonly parts: TransportParts) {
    const { trusted, userAgent } = parts
    if (trusted !== null) new X509Certificate(trusted)
    this.options = {
      // Explicit, to override NODE_TLS_REJECT_UNAUTHORIZED.
      tls:
        trusted === null
          ? { rejectUnauthorized: true }
          : { ca: [...rootCertificates, trusted], rejectUnauthorized: true },
      proxy: false,
      redirect: 'manual',
      decompress: false,
      headers: { 'user-agent': userAgent, 'accept-encoding': 'identity' },
    }
  }

  /** @throws AcmeProblem `unreachable` or `unintelligible`; the signal's reason after an abort */
  async send(exchange: Exchange, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted()
    if (!isHttps(exchange.url)) throw unintelligible(`it names an address that is not https: ${exchange.url}`)
    const timeout = AbortSignal.timeout(this.parts.requestMsMax)
    try {
      return await this.exchanged(exchange, AbortSignal.any([signal, timeout]))
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AcmeProblem) throw error
      const reason = timeout.aborted ? `no answer within ${this.parts.requestMsMax / 1000} s` : faultOf(error)
      throw new AcmeProblem({ kind: 'unreachable', detail: `${hostOf(exchange.url)}: ${reason}` })
    }
  }

  private async exchanged({ method, url, body, bytesMax }: Exchange, signal: AbortSignal): Promise<Answer> {
    const post = body === undefined ? {} : { body }
    const headers = {
      ...this.options.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/jose+json' }),
    }
    const response = await fetch(url, { ...this.options, ...post, headers, method, signal })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      const target = response.headers.get('location') ?? 'nowhere'
      throw unintelligible(`${hostOf(url)} redirects to ${target}, which is not followed`)
    }
    const text = await boundedText(response, bytesMax)
    if (text === null) throw unintelligible(`${hostOf(response.url)} sent more than ${bytesMax} bytes`)
    return { url, status: response.status, headers: response.headers, text }
  }
}

export const unintelligible = (detail: string, status: number | null = null): AcmeProblem =>
  new AcmeProblem({ kind: 'unintelligible', detail: cleanedText(detail), status })

export const isHttps = (url: string): boolean => URL.canParse(url) && new URL(url).protocol === 'https:'

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : cleanedText(url))

const faultOf = (error: unknown): string =>
  connectionFault(error) ?? cleanedText(error instanceof Error ? error.message : String(error))
