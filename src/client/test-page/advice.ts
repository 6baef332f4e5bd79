import { type CheckOutcome, failed } from './check.ts'
import { bodyOf, type Exchange, errorCodeOf } from './exchange.ts'

/** What went wrong with a request that should have been accepted, and what to do. */
export function refusal(exchange: Exchange): CheckOutcome {
  const exchanges = [exchange]
  const { answer, error } = exchange
  if (answer === null) return failed(`The browser shows no answer, only “${error}”.`, { todo: nameAdvice, exchanges })
  const todo = advice[errorCodeOf(exchange) ?? '']
  return failed(messageOf(exchange) ?? `The answer has the status ${answer.status}.`, {
    exchanges,
    ...(todo !== undefined && { todo }),
  })
}

/** Used if the browser reaches nothing under the domain's name. */
export const nameAdvice = 'Run capture doctor: the domain’s name must lead to this box, with a valid certificate.'

/** By the code of the spec. */
const advice: Record<string, string> = {
  unknown_source:
    'The tracking key is not the account’s, or was revoked. Take `key` from its site.toml; capture key rotate mints a new one.',
  consent_missing: 'The account needs the visitor’s consent, and the request carried none.',
  rate_limited: 'Too many requests came from this address within a minute. Wait a minute, then try again.',
  bot: 'The bot check was not passed. Reload the page; if that does not help, check [bot_check] in site.toml.',
  unavailable: 'The box cannot store anything at the moment. Run capture doctor to see why.',
  validation: 'The endpoint does not accept this body. Is payload_limit in site.toml very small?',
}

function messageOf(exchange: Exchange): string | null {
  const { error } = bodyOf(exchange.answer)
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : null
}
