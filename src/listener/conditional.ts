/** Whether the client holds this version already (RFC 9110 section 13.1.2; the comparison is the weak one). */
export function notModified(request: Request, etag: string): boolean {
  const header = request.headers.get('if-none-match')
  if (header === null) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** A part of a body: first and last byte, both included. */
export interface ByteRange {
  first: number
  last: number
}

const rangePattern = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The range a request asks for (RFC 9110 section 14): `null` for the whole body (none asked for, several, another
 * unit, or an `If-Range` that names another version), `unsatisfiable` for one that begins behind the end.
 */
export function requestedRange(request: Request, etag: string, byteCount: number): ByteRange | 'unsatisfiable' | null {
  const header = request.headers.get('range')
  if (header === null || request.method !== 'GET') return null
  const ifRange = request.headers.get('if-range')
  if (ifRange !== null && ifRange !== etag) return null
  const match = rangePattern.exec(header.trim())
  if (!match || (match[1] === '' && match[2] === '')) return null
  const [, from = '', to = ''] = match
  const first = from === '' ? Math.max(0, byteCount - Number(to)) : Number(from)
  const last = from === '' || to === '' ? byteCount - 1 : Math.min(Number(to), byteCount - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  if (first >= byteCount || (from === '' && Number(to) === 0)) return 'unsatisfiable'
  return { first, last }
}
