import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { boundedText, connectionFault, retryAfterMs } from '../../lib/exchange.ts'
import { AcmeProblem, type AcmeProblemKind, cleanedText } from './problem.ts'

/** One request. At most `bytesMax` of its answer are read. */
interface Exchange {
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

/** A JSON object of an answer, with untrusted members. */
export type Members = Readonly<Record<string, unknown>>

/** Enough for the essential part of a problem document or an order. */
const shownCharacters = 80

/** @throws AcmeProblem `unintelligible` when the answer is not a JSON object */
export function membersOf({ url, status, headers, text }: Answer): Members {
  const members = asMembers(parsed(text))
  if (members !== null) return members
  const type = headers.get('content-type') ?? 'no content type'
  const start = text.trim() === '' ? 'nothing' : `"${text.trim().slice(0, shownCharacters)}"`
  throw unintelligible(`${url} answered ${status} (${type}) with ${start}, where JSON was due`, status)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const asMembers = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null

/** `''`: not a string. */
export const textIn = (members: Members, name: string): string => {
  const value = members[name]
  return typeof value === 'string' ? value : ''
}

/** The strings of a list, without other values. */
export const textsIn = (members: Members, name: string): string[] => {
  const value = members[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** @throws AcmeProblem `unintelligible` when the member is not an https URL */
export function urlIn(members: Members, name: string, where: string): string {
  const url = textIn(members, name)
  if (!isHttps(url)) throw unintelligible(`${where} has no https URL as "${name}"`)
  return url
}

/** The `Location` of an answer. @throws AcmeProblem `unintelligible` without an https URL */
export function locationOf({ url, status, headers }: Answer): string {
  const location = headers.get('location') ?? ''
  const absolute = URL.canParse(location, url) ? new URL(location, url).href : ''
  if (location === '' || !isHttps(absolute))
    throw unintelligible(`${url} answered ${status} without a Location`, status)
  return absolute
}

const prefix = 'urn:ietf:params:acme:error:'
const subproblemsMax = 10

/** RFC 8555 section 6.7, RFC 9773 section 7.4, draft-ietf-acme-profiles section 5. */
const kinds: Readonly<Record<string, AcmeProblemKind>> = {
  accountDoesNotExist: 'accountGone',
  alreadyReplaced: 'alreadyReplaced',
  badNonce: 'badNonce',
  badPublicKey: 'badSignature',
  badSignatureAlgorithm: 'badSignature',
  caa: 'rejected',
  connection: 'rejected',
  dns: 'rejected',
  externalAccountRequired: 'externalBindingRequired',
  incorrectResponse: 'rejected',
  invalidContact: 'contactRefused',
  invalidProfile: 'invalidProfile',
  rateLimited: 'rateLimited',
  rejectedIdentifier: 'rejected',
  serverInternal: 'unreachable',
  tls: 'rejected',
  unsupportedContact: 'contactRefused',
  unsupportedIdentifier: 'rejected',
  userActionRequired: 'terms',
}

/** The problem stated by an answer with an error status (RFC 7807), or derived from the status. */
export function problemOf(answer: Answer, now: number): AcmeProblem {
  const { status, headers } = answer
  const wait = { status, retryAfterMs: retryAfterMs(headers.get('retry-after'), now) }
  try {
    return statedProblem(membersOf(answer), wait)
  } catch (error) {
    if (!(error instanceof AcmeProblem)) throw error
    // Proxies and overloaded servers answer with their own error pages.
    if (status < 500 && status !== 429) return error
    return new AcmeProblem({ kind: status === 429 ? 'rateLimited' : 'unreachable', detail: error.detail, ...wait })
  }
}

interface Heard {
  status?: number | null
  retryAfterMs?: number | null
}

/** The problem stated by an answer, or by the `error` of an order or challenge. */
export function statedProblem(members: Members, heard: Heard = {}): AcmeProblem {
  const type = cleanedText(textIn(members, 'type'))
  const subproblems = subproblemsOf(members)
  const stated = cleanedText(textIn(members, 'detail') || textIn(members, 'title'))
  const instance = cleanedText(textIn(members, 'instance'))
  const detail = [stated || type || 'no reason was given', instance && `(see ${instance})`].filter(Boolean).join(' ')
  return new AcmeProblem({ kind: kindOf(type, detail, heard.status ?? 0), type, detail, subproblems, ...heard })
}

function kindOf(type: string, detail: string, status: number): AcmeProblemKind {
  const kind = type.startsWith(prefix) ? kinds[type.slice(prefix.length)] : undefined
  if (kind !== undefined) return kind
  // There is no error type for a bad signature: servers report it as malformed or unauthorized.
  if (/\bJWS verification|signature (?:is )?(?:invalid|not valid)|invalid signature/i.test(detail))
    return 'badSignature'
  if (status === 429) return 'rateLimited'
  return status >= 500 ? 'unreachable' : 'refused'
}

function subproblemsOf(members: Members): string[] {
  const list = Array.isArray(members.subproblems) ? members.subproblems.slice(0, subproblemsMax) : []
  return list.map((subproblem) => cleanedText(textIn(asMembers(subproblem) ?? {}, 'detail'))).filter(Boolean)
}
