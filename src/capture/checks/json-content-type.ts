import { Refusal } from '../refusal.ts'

const jsonMediaType = 'application/json'

/** Form check 2, event check 3: exactly `application/json`, parameters allowed, whatever the case (RFC 9110 section 8.3.1). */
export function jsonContentType(request: Request): void {
  const contentType = request.headers.get('content-type')
  if (contentType === jsonMediaType) return
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== jsonMediaType) throw new Refusal('content_type')
}
