import type { Clock } from '../../lib/clock.ts'
import { unlessAborted } from '../../lib/in-time.ts'
import { type Signer, signedRequest } from './account-key.ts'
import type { AuthorityOffer } from './authority.ts'
import { AcmeProblem, cleanedText } from './problem.ts'
import {
  type Answer,
  asMembers,
  isHttps,
  type Members,
  membersOf,
  problemOf,
  type Transport,
  textIn,
  textsIn,
  unintelligible,
  urlIn,
} from './transport.ts'

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
      const problem = answer.status < 300 ? webPageIn(answer) : problemOf(answer, this.parts.clock.now())
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

/** No answer of an authority to a signed request is a web page: a captive portal or a proxy answers in its place. */
const webPageIn = ({ url, status, headers }: Answer): AcmeProblem | null =>
  headers.get('content-type')?.startsWith('text/html')
    ? new AcmeProblem({ kind: 'unreachable', detail: cleanedText(`${url} answered ${status} with a web page`) })
    : null

/** Whoever does not know these two answers in the authority's place, such as a captive portal or a proxy. */
const notTheAuthority = (error: unknown): unknown =>
  error instanceof AcmeProblem && error.kind === 'unintelligible'
    ? new AcmeProblem({ kind: 'unreachable', detail: error.detail })
    : error

/** Time limits for an authority. */
export interface AcmeLimits {
  /** One request, up to the last byte of its answer. */
  requestMsMax: number
  /** From the request for validation to its result, and from finalizing an order to its certificate. */
  orderMsMax: number
  /** The interval of polling without a `Retry-After`, which is clamped to these limits. */
  pollMsMin: number
  pollMsMax: number
}

export const defaultLimits: AcmeLimits = {
  requestMsMax: 30_000,
  orderMsMax: 180_000,
  pollMsMin: 1_000,
  pollMsMax: 30_000,
}

/** Waits. Rejects with the signal's reason if it aborts first. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

export const timedPause: Pause = async (ms, signal) => {
  let timer: Timer | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await unlessAborted(over, signal)
  } finally {
    clearTimeout(timer)
  }
}

/** RFC 8555 section 7.1.1. */
interface Directory {
  newNonce: string
  newAccount: string
  newOrder: string
  /** `null`: the authority does not support RFC 9773. */
  renewalInfo: string | null
  offer: AuthorityOffer
}

const listMax = 32

/** @throws AcmeProblem when the answer is not a directory */
export function readDirectory(answer: Answer, now: number): Directory {
  if (answer.status !== 200) throw problemOf(answer, now)
  const members = membersOf(answer)
  const where = `the directory at ${answer.url}`
  const renewalInfo = textIn(members, 'renewalInfo')
  return {
    newNonce: urlIn(members, 'newNonce', where),
    newAccount: urlIn(members, 'newAccount', where),
    newOrder: urlIn(members, 'newOrder', where),
    renewalInfo: isHttps(renewalInfo) ? renewalInfo : null,
    offer: offerOf(asMembers(members.meta) ?? {}, isHttps(renewalInfo)),
  }
}

function offerOf(meta: Members, tellsRenewal: boolean): AuthorityOffer {
  const terms = textIn(meta, 'termsOfService')
  return {
    caaIdentities: textsIn(meta, 'caaIdentities')
      .slice(0, listMax)
      .map((name) => cleanedText(name).toLowerCase()),
    termsOfService: terms === '' ? null : cleanedText(terms),
    externalBindingRequired: meta.externalAccountRequired === true,
    profiles: Object.keys(asMembers(meta.profiles) ?? {})
      .slice(0, listMax)
      .map(cleanedText),
    tellsRenewal,
  }
}

const noncesMax = 64
/** RFC 8555 section 6.5.1: base64url; anything else must be ignored. */
const noncePattern = /^[A-Za-z0-9_-]{1,256}$/

/** The nonce of an answer; `null`: missing or malformed. */
export function nonceIn(headers: Headers): string | null {
  const nonce = headers.get('replay-nonce') ?? ''
  return noncePattern.test(nonce) ? nonce : null
}

/** Single-use nonces of one authority (RFC 8555 section 6.5). Uses the newest first, since the authority may forget old ones. */
export class NoncePool {
  private readonly nonces: string[] = []

  keep(nonce: string | null): void {
    if (nonce === null) return
    this.nonces.push(nonce)
    if (this.nonces.length > noncesMax) this.nonces.shift()
  }

  take(): string | null {
    return this.nonces.pop() ?? null
  }
}
