import { Refusal } from '../../capture/refusal.ts'
import type { RefusingEndpoint } from '../../capture/refusal-log.ts'
import type { Visit } from '../../capture/visit.ts'
import { LedgerUnavailable } from '../../ledger/ledger.ts'
import { refusalAnswer, unavailableAnswer } from '../answers.ts'
import { corsHeaders } from '../cors.ts'
import type { ListenerParts } from '../listener-parts.ts'

/** Runs a capture and turns what it throws into its answer: counted, so that an operator sees why nothing arrives. */
export async function answeringRefusals(
  { refusals }: ListenerParts,
  { endpoint, visit }: { endpoint: RefusingEndpoint; visit: Visit },
  capture: () => Response | Promise<Response>,
): Promise<Response> {
  const { request, account } = visit
  const origin = request.headers.get('origin')
  try {
    return await capture()
  } catch (error) {
    if (error instanceof Refusal) {
      refusals.add(account.id, { endpoint, check: error.check, origin })
      return refusalAnswer(error, corsHeaders(request))
    }
    if (error instanceof LedgerUnavailable) {
      refusals.add(account.id, { endpoint, check: 'storage', origin })
      return unavailableAnswer(corsHeaders(request))
    }
    throw error
  }
}
