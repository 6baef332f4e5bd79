import { bodyWithin } from '../api/read-call.ts'

const bytesMax = 65_536

/** What the console's script sent; `null`: not a JSON object, or another site sent it. */
export async function scriptRequest(request: Request): Promise<Record<string, unknown> | null> {
  if (request.headers.get('sec-fetch-site') !== 'same-origin') return null
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await bodyWithin(request, bytesMax)))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

export const scriptAnswer = (value: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })

export const scriptRefusal = (status: 400 | 403): Response => scriptAnswer({ error: { code: 'refused' } }, status)

export const scriptTooMany = (retryAfterSeconds: number): Response =>
  scriptAnswer({ error: { code: 'too_many' } }, 429, { 'retry-after': String(retryAfterSeconds) })
