import { connectionFault, retryAfterMs } from '../lib/exchange.ts'
import { unlessAborted } from '../lib/in-time.ts'
import { type AddressLookup, type Guard, isBeforeSending, judgeHost, pinnedFetch } from '../outbound/guard.ts'
import { unattempted } from './carrier.ts'
import { type Attempt, boundedExchange } from './outbox.ts'

export interface HttpPostParts {
  guard: Guard
  lookup: AddressLookup
  /** Certificates (PEM) trusted besides the system's; `null`: none. */
  ca: string | null
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

/** Characters of a body that are shown: enough to see what was sent or what a receiver complains about. */
const bodyCharactersMax = 4096

/** A request as it is shown: a secret address stands as `/…`. */
export interface ShownRequest {
  url: URL
  headers: Readonly<Record<string, string>>
  body: string
  /** Texts that act as keys, shown as `…` wherever they occur. */
  secrets: readonly string[]
}

/** An answer, as far as it was read. */
interface ReadAnswer {
  status: number
  statusText: string
  headers: Headers
  body: string
  /** Why reading ended early; `null`: it was read to the end. */
  cut: string | null
}

/**
 * The dialogue as it happened, without secrets.
 * @param end the answer, or why there is none
 */
function httpExchange(request: ShownRequest, address: string | null, end: ReadAnswer | { failure: string }): string {
  const { url, headers, body, secrets } = request
  const target = url.pathname + url.search
  const sent = [
    `POST ${target} HTTP/1.1`,
    `Host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    shortened(body),
  ]
  const answered = 'failure' in end ? [`(${end.failure})`] : answerLines(end)
  const to = address === null ? [] : [`(to ${address})`]
  const text = [...to, ...sent, '', ...answered].join('\n')
  return boundedExchange(withoutSecrets(text, secrets))
}

function answerLines({ status, statusText, headers, body, cut }: ReadAnswer): string[] {
  const first = `HTTP/1.1 ${status}${statusText === '' ? '' : ` ${statusText}`}`
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}`)
  return [first, ...lines, '', shortened(body), ...(cut === null ? [] : [`(${cut})`])]
}

const shortened = (text: string): string =>
  text.length <= bodyCharactersMax
    ? text
    : `${text.slice(0, bodyCharactersMax)}\n[${text.length - bodyCharactersMax} more characters]`

/** Longest first: one may contain another. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets.filter((secret) => secret !== '').toSorted((one, other) => other.length - one.length))
    clean = clean.replaceAll(secret, '…')
  return clean
}
