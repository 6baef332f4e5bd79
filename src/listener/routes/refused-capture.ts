import { Refusal } from '../../capture/refusal.ts'
import type { RefusingEndpoint } from '../../capture/refusal-log.ts'
import type { Visit } from '../../capture/visit.ts'
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
  { endpoint, visit }: { endpoint: RefusingEndpoint; visit: Visit },
  { refusals }: ListenerParts,
): Response {
  const { request, account } = visit
  const origin = request.headers.get('origin')
  if (error instanceof Refusal) {
    refusals.add(account.id, { endpoint, check: error.check, origin })
    return refusalAnswer(error, corsHeadersOfRefusal(error, request))
  }
  if (error instanceof LedgerUnavailable) {
    refusals.add(account.id, { endpoint, check: 'storage', origin })
    return unavailableAnswer(corsHeaders(request))
  }
  throw error
}
