import { Refusal } from '../../capture/refusal.ts'
import type { RefusingEndpoint } from '../../capture/refusal-log.ts'
import type { SiteRequest } from '../../capture/site-request.ts'
import { LedgerUnavailable } from '../../ledger/ledger.ts'
import { refusalAnswer, unavailableAnswer } from '../answers.ts'
import { corsHeaders, corsHeadersOfRefusal } from '../cors.ts'
import type { ListenerParts } from '../listener-parts.ts'

/**
 * Answers a capture that threw, and counts it, so that an operator sees why nothing arrives.
 *
 * @throws the error itself when it is neither a refusal nor a storage failure, which means a bug
 */
export function refusedCapture(
  error: unknown,
  { endpoint, asked }: { endpoint: RefusingEndpoint; asked: SiteRequest },
  { refusals }: ListenerParts,
): Response {
  const { request, account } = asked
  const origin = request.headers.get('origin')
  if (error instanceof Refusal) {
    refusals.add(account.id, { endpoint, check: error.check, origin })
    return refusalAnswer(error, corsHeadersOfRefusal(error, origin))
  }
  if (error instanceof LedgerUnavailable) {
    refusals.add(account.id, { endpoint, check: 'storage', origin })
    return unavailableAnswer(corsHeaders(origin))
  }
  throw error
}
