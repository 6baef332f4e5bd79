import { challengeBudgets, challengeMaker } from '../../capture/bot-check/challenges.ts'
import { withinBudgets } from '../../capture/budgets.ts'
import { Refusal } from '../../capture/refusal.ts'
import { errorJson, json, refusalAnswer, unavailableAnswer } from '../answers.ts'
import type { SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { siteRequestOf } from '../site-request.ts'

/**
 * Like the runtime configuration, it answers every origin without credentials: a challenge reveals nothing, and its solution is
 * useful only for a form, which checks the origin itself.
 */
const publicHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }

/** `GET /_svc/b`: a fresh challenge of the self-hosted bot check (docs/forms.md). */
export function challengeRoute(parts: ListenerParts) {
  const { budgets, clock, directory, limits, refusals } = parts
  const freshChallenge = challengeMaker()
  return async (arrival: SiteArrival): Promise<Response> => {
    const { request } = arrival
    const asked = siteRequestOf(arrival, parts)
    if (asked.account.settings.botCheck.provider !== 'altcha') {
      return json(errorJson('not_found', 'This account’s bot check is not self-hosted.'), 404, publicHeaders)
    }
    try {
      await withinBudgets(budgets, challengeBudgets(asked, limits))
      const challenge = await freshChallenge(asked.account, directory.signingKeys, clock.now())
      return challenge === null ? unavailableAnswer(publicHeaders) : json(JSON.stringify(challenge), 200, publicHeaders)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.add(asked.account.id, { endpoint: 'form', check: error.check, origin: request.headers.get('origin') })
      return refusalAnswer(error, publicHeaders)
    }
  }
}
