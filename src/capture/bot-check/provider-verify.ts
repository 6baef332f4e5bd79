import type { BotCheckProvider } from '../../account/account.ts'
import { boundedText } from '../../lib/bounded-text.ts'
import addresses from './provider-addresses.json' with { type: 'json' }

export type HostedProvider = Exclude<BotCheckProvider, 'altcha'>

/** One question to a provider, in the form that all three share. */
export interface Verification {
  provider: HostedProvider
  /** Replaces the provider's own address. */
  verifyUrl: string | null
  secret: string
  token: string
  /** The visitor's address, if the account stores it in full; `null`: not sent. */
  remoteIp: string | null
}

/** `secret_refused`: the provider does not know the account's secret. `no_answer`: none in time that can be read. */
type VerificationOutcome = 'verified' | 'not_verified' | 'secret_refused' | 'no_answer'

/** An answer is some hundred bytes. */
const answerBytesMax = 16_384

/**
 * Asks the provider whether it issued the token to a human (the `siteverify` interface). Only a `200` with the JSON boolean
 * `"success": true` counts. The signal aborts the whole request, including its body.
 */
export async function verifyWithProvider(asked: Verification, signal: AbortSignal): Promise<VerificationOutcome> {
  try {
    const response = await fetch(asked.verifyUrl ?? addresses[asked.provider], {
      method: 'POST',
      body: questionOf(asked),
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      // A redirect could send the secret elsewhere.
      redirect: 'manual',
      signal,
    })
    const text = await boundedText(response, answerBytesMax, new TextDecoder('utf-8', { fatal: true }))
    return response.status === 200 ? outcomeOf(JSON.parse(text ?? '')) : 'no_answer'
  } catch {
    return 'no_answer'
  }
}

function questionOf({ secret, token, remoteIp }: Verification): URLSearchParams {
  const question = new URLSearchParams({ secret, response: token })
  if (remoteIp !== null) question.set('remoteip', remoteIp)
  return question
}

/** Error codes that do not blame the visitor. */
const secretErrors: readonly unknown[] = ['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch']

function outcomeOf(answer: unknown): VerificationOutcome {
  if (typeof answer !== 'object' || answer === null || !('success' in answer)) return 'no_answer'
  if (answer.success === true) return 'verified'
  const errors = 'error-codes' in answer && Array.isArray(answer['error-codes']) ? answer['error-codes'] : []
  return errors.some((code) => secretErrors.includes(code)) ? 'secret_refused' : 'not_verified'
}
