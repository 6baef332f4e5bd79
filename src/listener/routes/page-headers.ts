import type { HeaderRecord } from '../answer/answers.ts'

/** The headers of a live page. @param robots `X-Robots-Tag`; `null`: none */
export function pageHeaders(robots: string | null): HeaderRecord {
  const headers: HeaderRecord = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    // What browsers do by default since 2021; a page's own <meta name="referrer"> still decides.
    'referrer-policy': 'strict-origin-when-cross-origin',
  }
  if (robots !== null) headers['x-robots-tag'] = robots
  return headers
}
