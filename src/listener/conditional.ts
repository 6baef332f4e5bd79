/** Whether the client already has this version (RFC 9110 section 13.1.2, weak comparison). */
export function notModified(request: Request, etag: string): boolean {
  const header = request.headers.get('if-none-match')
  if (header === null) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** A part of a body: first and last byte, inclusive. */
interface ByteRange {
  first: number
  last: number
}

const rangePattern = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The requested range (RFC 9110 section 14). `null`: the whole body (no range, several, another unit, or an `If-Range` of another
 * version). `unsatisfiable`: the range begins after the end.
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
