import { retryAfterMs } from '../../lib/retry-after.ts'
import type { AcmeConnection } from './acme-connection.ts'
import { asMembers, membersOf, textIn } from './answers.ts'
import type { RenewalInfo } from './authority.ts'
import { problemOf } from './problem-document.ts'
import { renewalId } from './renewal-id.ts'
import { unintelligible } from './transport.ts'

/** RFC 9773 section 4.3.2: six hours without a `Retry-After`, which is clamped to these limits. */
const retryMs = { default: 21_600_000, min: 60_000, max: 86_400_000 }

/** The authority's renewal window for this certificate (RFC 9773 section 4); `null`: it has none. */
export async function readRenewalInfo(
  connection: AcmeConnection,
  certificate: string,
  signal: AbortSignal,
): Promise<RenewalInfo | null> {
  const { renewalInfo } = await connection.directory(signal)
  const id = renewalId(certificate)
  if (renewalInfo === null || id === null) return null
  const answer = await connection.get(`${renewalInfo.replace(/\/$/, '')}/${id}`, signal)
  // Another authority's certificate, or one from before the authority supported this.
  if (answer.status === 404) return null
  const now = connection.parts.clock.now()
  if (answer.status !== 200) throw problemOf(answer, now)
  const window = asMembers(membersOf(answer).suggestedWindow) ?? {}
  const [startMs, endMs] = [instantOf(textIn(window, 'start')), instantOf(textIn(window, 'end'))]
  if (!(startMs < endMs)) throw unintelligible(`${answer.url} suggests no window in which to renew`, answer.status)
  const asked = retryAfterMs(answer.headers.get('retry-after'), now) ?? retryMs.default
  return { startMs, endMs, retryAfterMs: Math.min(Math.max(asked, retryMs.min), retryMs.max) }
}

/** RFC 3339; `NaN`: not an instant. */
const instantOf = (text: string): number => (/^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN)
