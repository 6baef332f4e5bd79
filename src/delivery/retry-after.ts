/** Reads `Retry-After` (RFC 9110 section 10.2.3), seconds or a date; `null`: absent or invalid. */
export function retryAfterMs(text: string | null, now: number): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  // `Date.parse` accepts many texts as dates, such as "-5".
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
