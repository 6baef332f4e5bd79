const headerCharactersMax = 100
const retryAfterMsMax = 7 * 86_400_000

/**
 * The wait of a `Retry-After` header (RFC 9110 section 10.2.3: seconds or a date), at most a week.
 *
 * @param now epoch milliseconds
 * @returns `null`: missing or malformed
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.length > headerCharactersMax) return null
  const isSeconds = /^\s*\d+\s*$/.test(header)
  // `Date.parse` accepts many texts as dates, such as "-5".
  const isDate = /^\s*[a-z]{3,9}, .*GMT\s*$/i.test(header)
  const ms = isSeconds ? Number(header) * 1000 : isDate ? Date.parse(header) - now : Number.NaN
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), retryAfterMsMax)
}
