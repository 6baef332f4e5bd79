/** A request as a test states it. */
export interface Sent {
  method: string
  /** The connected domain; sent as `Host`, since no test name resolves. */
  host: string
  path: string
  headers: Record<string, string>
  /** A stream is sent in chunks, without a declared length. */
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
}

/** An answer, read whole. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

/** One request to the server on this port of the loopback interface. */
export async function sendRequest(port: number, { method, host, path, headers, body }: Sent): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, host },
    body,
    redirect: 'manual',
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The answer's JSON; fails with the text when it is none. */
export function jsonOf(answer: Answer): Record<string, unknown> {
  try {
    return JSON.parse(answer.text)
  } catch {
    throw new Error(`no JSON in the answer ${answer.status}: ${answer.text}`)
  }
}

/** The code of a JSON error; `null` when the answer is none. */
export function errorCode(answer: Answer): unknown {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return null
  const { error } = jsonOf(answer)
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : null
}

/** Status and code: what the tables of the spec say of a refusal. */
export const refusalOf = (answer: Answer) => ({ status: answer.status, code: errorCode(answer) })

/** The names of all CORS headers in an answer. */
export const corsHeaderNames = (answer: Answer): string[] =>
  [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))

/** Bytes that are sent in chunks of the given size, without a declared length. */
export function chunked(bytes: Uint8Array, chunkBytes = bytes.byteLength): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close()
      controller.enqueue(bytes.slice(at, at + chunkBytes))
      at += chunkBytes
    },
  })
}
