import { RecentMap } from '../lib/recent-map.ts'
import type { HeaderRecord } from './answers.ts'

/**
 * In each of two generations: 4 MB at most, with the longest destinations. Few recur: websites that post, and pages that mailings
 * link to.
 */
const rememberedMax = 500

/** Headers that many answers share, such as all with one origin. Making them costs most of a short answer. */
export class SharedHeaders {
  private readonly remembered = new RecentMap<Headers>(rememberedMax)

  /** @param make the headers for a key, which alone they may depend on */
  constructor(private readonly make: (key: string) => HeaderRecord) {}

  /** @param cookie this answer's `Set-Cookie`; `null`: none */
  of(key: string, cookie: string | null): Headers {
    const known = this.remembered.get(key)
    if (known !== undefined) return withCookie(known, cookie)
    const made = new Headers(this.make(key))
    this.remembered.set(key, made)
    return withCookie(made, cookie)
  }
}

/** The shared headers, or a copy of them with the cookie. */
export function withCookie(shared: Headers, cookie: string | null): Headers {
  if (cookie === null) return shared
  const headers = new Headers(shared)
  headers.set('set-cookie', cookie)
  return headers
}
