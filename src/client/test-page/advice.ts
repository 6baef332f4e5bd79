import type { CheckOutcome } from './check.ts'
import { bodyOf, type Exchange, errorCodeOf } from './exchange.ts'

/** What went wrong with a request that should have been accepted, and what to do about it. */
export function refusal(exchange: Exchange): CheckOutcome {
  const exchanges = [exchange]
  const { answer, error } = exchange
  if (answer === null) {
    return {
      state: 'failed',
      says: `The browser shows no answer, only “${error}”.`,
      todo: 'Check that the domain’s name leads to this box and that its certificate is valid: capture doctor says.',
      exchanges,
    }
  }
  const known = advice[errorCodeOf(exchange) ?? '']
  const message = messageOf(exchange) ?? `The answer has the status ${answer.status}.`
  return { state: 'failed', says: message, exchanges, ...(known && { todo: known }) }
}

/** By the code of the spec. */
const advice: Record<string, string> = {
  unknown_source:
    'The tracking key is not the account’s, or was revoked. Take `key` from its site.toml; capture key rotate mints a new one.',
  consent_missing: 'The account holds events back until the visitor says yes, and the request did not say so.',
  rate_limited: 'Too many requests came from this address within a minute. Wait a minute, then try again.',
  bot: 'The bot check was not passed. Load the page anew; if it stays, check [bot_check] in site.toml.',
  unavailable: 'The box cannot store anything at present. capture doctor says why.',
  validation: 'The body is not what the endpoint takes. Is payload_limit in site.toml very small?',
}

function messageOf(exchange: Exchange): string | null {
  const { error } = bodyOf(exchange.answer)
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : null
}
