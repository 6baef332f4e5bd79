/** An answer as the script reads it. `status` 0: no answer, or one that the browser hides. */
export type Answer = [status: number, body: AnswerBody, retryAfterSeconds: number]

interface AnswerBody {
  redirectUrl?: string
  error?: { code: string; message: string; [more: string]: unknown }
}

export type Post = (url: string, body: string, headers?: Record<string, string>) => Promise<Answer>

export const noAnswer: Answer = [0, {}, 0]

const postTimeoutMs = 30_000

/** Asks the box. Never rejects; an answer that is not the box's JSON counts as none. */
export async function ask(url: string, timeoutMs: number, options?: RequestInit): Promise<Answer> {
  // `AbortSignal.timeout` is too new for many visitors.
  const stop = new AbortController()
  setTimeout(() => stop.abort(), timeoutMs)
  try {
    const response = await fetch(url, { signal: stop.signal, ...options })
    // A proxy may answer `null`, and with a date in Retry-After.
    return [response.status, (await response.json()) ?? {}, +(response.headers.get('Retry-After') as string) || 0]
  } catch {
    return noAnswer
  }
}

/**
 * Posts JSON text to a capture path, with credentials; the browser withholds the identity cookie (`SameSite=Lax`) from
 * pages of another site.
 */
export const post: Post = (url, body, headers) =>
  ask(url, postTimeoutMs, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
    credentials: 'include',
    // Lets a request outlive its page. Browsers refuse this for bodies over 64 KiB, which the script never sends.
    keepalive: true,
  })
