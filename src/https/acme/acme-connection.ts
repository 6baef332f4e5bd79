import type { Clock } from '../../lib/clock.ts'
import { unlessAborted } from '../../lib/unless-aborted.ts'
import { type Directory, readDirectory } from './directory.ts'
import { type Signer, signedRequest } from './jws.ts'
import type { AcmeLimits } from './limits.ts'
import { NoncePool, nonceIn } from './nonce-pool.ts'
import type { Pause } from './pause.ts'
import { AcmeProblem } from './problem.ts'
import { problemOf } from './problem-document.ts'
import { type Answer, type Transport, unintelligible } from './transport.ts'

interface ConnectionParts {
  directoryUrl: string
  transport: Transport
  clock: Clock
  pause: Pause
  limits: AcmeLimits
}

const jsonBytesMax = 65_536
/** Leaf and intermediates, with room for post-quantum signatures. */
const chainBytesMax = 262_144
/** With half of all nonces refused, one request in four thousand fails. */
const noncesTriedMax = 12
const readTriesMax = 3
const directoryMsMax = 3_600_000

/** Requests to one authority, signed with a fresh nonce each (RFC 8555 section 6). */
export class AcmeConnection {
  private readonly nonces = new NoncePool()
  private known: { directory: Promise<Directory>; until: number } | null = null

  constructor(readonly parts: ConnectionParts) {}

  /** Reloads the directory hourly and after a failure. A caller that gives up does not cancel the request for others. */
  directory(signal: AbortSignal): Promise<Directory> {
    const now = this.parts.clock.monotonicMs()
    if (this.known === null || now > this.known.until) {
      const directory = this.readDirectory()
      const known = { directory, until: now + directoryMsMax }
      this.known = known
      directory.catch(() => {
        if (this.known === known) this.known = null
      })
    }
    return unlessAborted(this.known.directory, signal)
  }

  /**
   * A signed POST.
   *
   * @returns an answer of 200 to 299
   * @throws AcmeProblem for any other status
   */
  async post(url: string, payload: object | '', signer: Signer, signal: AbortSignal): Promise<Answer> {
    const bytesMax = payload === '' ? chainBytesMax : jsonBytesMax
    let nonce = this.nonces.take()
    for (let triesLeft = noncesTriedMax; ; triesLeft--) {
      const body = signedRequest(url, payload, nonce ?? (await this.newNonce(signal)), signer)
      const answer = await this.parts.transport.send({ method: 'POST', url, body, bytesMax }, signal)
      const next = nonceIn(answer.headers)
      const problem = answer.status < 300 ? null : problemOf(answer, this.parts.clock.now())
      if (problem?.kind === 'badNonce' && triesLeft > 1) {
        nonce = next
        continue
      }
      this.nonces.keep(next)
      if (problem === null) return answer
      throw problem
    }
  }

  /** POST-as-GET (RFC 8555 section 6.3). It changes nothing, so it is retried without an answer. */
  async read(url: string, signer: Signer, signal: AbortSignal): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.post(url, '', signer, signal)
      } catch (error) {
        if (!(error instanceof AcmeProblem) || error.kind !== 'unreachable' || tries === readTriesMax) throw error
        await this.parts.pause(this.parts.limits.pollMsMin * tries, signal)
      }
    }
  }

  /** An unsigned GET. Returns answers of any status. */
  get(url: string, signal: AbortSignal): Promise<Answer> {
    return this.parts.transport.send({ method: 'GET', url, bytesMax: jsonBytesMax }, signal)
  }

  private async readDirectory(): Promise<Directory> {
    try {
      const answer = await this.get(this.parts.directoryUrl, new AbortController().signal)
      return readDirectory(answer, this.parts.clock.now())
    } catch (error) {
      throw notTheAuthority(error)
    }
  }

  /** RFC 8555 section 7.2. */
  private async newNonce(signal: AbortSignal): Promise<string> {
    const { newNonce: url } = await this.directory(signal)
    const answer = await this.parts.transport.send({ method: 'HEAD', url, bytesMax: jsonBytesMax }, signal)
    if (answer.status >= 300) throw problemOf(answer, this.parts.clock.now())
    const nonce = nonceIn(answer.headers)
    if (nonce === null) throw notTheAuthority(unintelligible(`${url} answered without a Replay-Nonce`, answer.status))
    return nonce
  }
}

/** Whoever does not know these two answers in the authority's place, such as a captive portal or a proxy. */
const notTheAuthority = (error: unknown): unknown =>
  error instanceof AcmeProblem && error.kind === 'unintelligible'
    ? new AcmeProblem({ kind: 'unreachable', detail: error.detail })
    : error
