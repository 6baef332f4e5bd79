import { pagePath } from '../account/goal.ts'
import type { Parsed } from '../lib/toml/shape.ts'

const pageExpected = 'the path of a page, such as "/thank-you", without a question mark or #'

/** As browsers write it: `/über-uns` becomes `/%C3%BCber-uns`. */
export function parsePagePath(text: string): Parsed<string> {
  if (!/^\/(?![/\\])[^?#\s\\]*$/.test(text)) return { expected: pageExpected }
  const url = URL.parse(text, 'https://site.invalid')
  return url === null ? { expected: pageExpected } : { value: pagePath(url.pathname) }
}
