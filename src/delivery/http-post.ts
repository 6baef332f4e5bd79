import { connectionFault } from '../lib/connection-fault.ts'
import { retryAfterMs } from '../lib/retry-after.ts'
import { unlessAborted } from '../lib/unless-aborted.ts'
import { type AddressLookup, type Guard, judgeHost } from '../outbound/guard.ts'
import { isBeforeSending, pinnedFetch } from '../outbound/pinned-fetch.ts'
import type { Attempt } from './attempt.ts'
import { unattempted } from './carrier.ts'
import { httpExchange, type ReadAnswer, type ShownRequest } from './http-exchange.ts'

export interface HttpPostParts {
  guard: Guard
  lookup: AddressLookup
  /** Certificates (PEM) trusted besides the system's; `null`: none. */
  ca: string | null
  /** Epoch milliseconds. */
  now: () => number
}

/** How long a receiver may take, from looking up its name. */
const answerMsMax = 15_000
/** After a 2xx status, the body only matters to people. */
const bodyMsMax = 2000
const answerBytesMax = 65_536

/**
 * POSTs a body once, to an address that the guard allows. Never rejects.
 */
export async function httpPost(request: ShownRequest, parts: HttpPostParts): Promise<Attempt> {
  const signal = AbortSignal.timeout(answerMsMax)
  const found = await addressesOf(request.url, parts, signal)
  if ('refusal' in found) return failedAttempt(request, null, found.refusal)
  let failure = ''
  let tried: string | null = null
  for (const address of found.addresses) {
    tried = address
    try {
      return await postTo(address, request, { ...parts, signal })
    } catch (error) {
      failure = failureText(error, signal)
      if (signal.aborted || !isBeforeSending(error)) break
    }
  }
  return failedAttempt(request, tried, failure)
}

async function addressesOf(url: URL, { guard, lookup }: HttpPostParts, signal: AbortSignal) {
  try {
    return await unlessAborted(judgeHost(url, guard, lookup), signal)
  } catch {
    return { refusal: `DNS has no address for ${url.hostname} at the moment` }
  }
}

async function postTo(
  address: string,
  request: ShownRequest,
  { ca, now, signal }: HttpPostParts & { signal: AbortSignal },
): Promise<Attempt> {
  const { url, headers, body } = request
  const cutting = new AbortController()
  const response = await pinnedFetch(url, address, {
    headers,
    body,
    ca,
    signal: AbortSignal.any([signal, cutting.signal]),
  })
  const answer = await readAnswer(response, signal)
  cutting.abort()
  const exchange = httpExchange(request, address, answer)
  return { ...outcomeOf(response, now()), exchange }
}

function outcomeOf({ status, headers }: Response, now: number): Omit<Attempt, 'exchange'> {
  const failed = (error: string): Omit<Attempt, 'exchange'> => ({
    outcome: status === 410 ? 'gone' : 'failed',
    status,
    error,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), now),
  })
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, error: null, retryAfterMs: null }
  if (status === 410)
    return failed('The receiver answered 410: it wants nothing more. Fix or remove the destination, then resume it.')
  if (status >= 300 && status < 400)
    return failed(
      `The receiver answered ${status}, a redirect, and redirects are not followed: set url to the final address.`,
    )
  if (status === 401 || status === 403)
    return failed(`The receiver answered ${status}: check that it knows the address and secret of this destination.`)
  if (status === 404) return failed('The receiver answered 404: check the path of url.')
  if (status >= 500) return failed(`The receiver answered ${status}: a fault on its side; see its log.`)
  return failed(`The receiver answered ${status}: see its answer with \`capture delivery show\`.`)
}

/** As much of the answer as is kept. Its status stands, whatever happens to the rest. */
async function readAnswer(response: Response, signal: AbortSignal): Promise<ReadAnswer> {
  const { status, statusText, headers } = response
  const chunks: Uint8Array[] = []
  const until = AbortSignal.any([signal, AbortSignal.timeout(bodyMsMax)])
  const cut = await readInto(chunks, bodyReader(response), until)
  const body = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, answerBytesMax))
  return { status, statusText, headers, body, cut }
}

const bodyReader = ({ body }: Response) => body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined

async function readInto(
  chunks: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  until: AbortSignal,
): Promise<string | null> {
  let bytes = 0
  try {
    for (;;) {
      const read = await unlessAborted(
        reader?.read() ?? Promise.resolve({ done: true as const, value: undefined }),
        until,
      )
      if (read.done) return null
      chunks.push(read.value)
      bytes += read.value.length
      if (bytes >= answerBytesMax) return `the answer is longer than ${answerBytesMax} bytes`
    }
  } catch {
    return until.aborted ? 'the answer did not end in time' : 'the connection ended within the answer'
  } finally {
    void reader?.cancel().catch(() => {})
  }
}

function failureText(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `it did not answer within ${answerMsMax / 1000} s`
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return connectionFault(error) ?? bunFaults[code] ?? `the connection failed (${code})`
}

const bunFaults: Readonly<Record<string, string>> = {
  ConnectionRefused: 'the connection was refused',
  ConnectionClosed: 'the connection was closed before the answer was complete',
  FailedToOpenSocket: 'the connection could not be made',
}

const failedAttempt = (request: ShownRequest, address: string | null, failure: string): Attempt => ({
  ...unattempted(`Not delivered: ${failure}.`),
  exchange: httpExchange(request, address, { failure }),
})
