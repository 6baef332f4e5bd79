import { Refusal } from '../refusal.ts'

/**
 * Form check 3, event check 4: the body, read only as far as the account's limit. A declared length is compared with the
 * limit; without one, bytes are counted as they arrive (spec, Limits).
 */
export function bodyWithin(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > bytesMax) throw tooLarge(bytesMax)
  // The HTTP parser delivers at most the declared length.
  const body = declared === null ? countedBody(request, bytesMax) : request.bytes()
  return body.catch(unreadable)
}

/** The caller left, sent too slowly, or broke the framing. Nobody waits for an answer, and this is not a bug. */
function unreadable(error: unknown): never {
  if (error instanceof Error && error.name === 'AbortError') throw new Refusal('incomplete')
  throw error
}

async function countedBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of request.body) {
    byteCount += chunk.byteLength
    if (byteCount > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (bytesMax: number) =>
  new Refusal('size', { message: `The body is larger than the ${bytesMax} bytes this account accepts.` })
