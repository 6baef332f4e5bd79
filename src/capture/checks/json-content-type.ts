import { Refusal } from '../refusal.ts'

const jsonMediaType = 'application/json'
/** White space is a blank or a tab (RFC 9110 section 5.6.3): what else `trim` takes away is part of another type. */
const jsonWithParameters = /^application\/json[ \t]*(?:;|$)/i

/** Form check 2, event check 3: exactly `application/json`, parameters allowed, whatever the case (RFC 9110 section 8.3.1). */
export function jsonContentType(request: Request): void {
  const contentType = request.headers.get('content-type')
  if (contentType === jsonMediaType) return
  if (contentType === null || !jsonWithParameters.test(contentType)) throw new Refusal('content_type')
}
