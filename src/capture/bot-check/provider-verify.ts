import type { BotCheckProvider } from '../../account/account.ts'
import { boundedText } from '../../lib/exchange.ts'
import { unlessAborted } from '../../lib/in-time.ts'
import {
  type AddressLookup,
  type Guard,
  isBeforeSending,
  judgeHost,
  orThisMachine,
  pinnedFetch,
} from '../../outbound/guard.ts'
import addresses from './provider-addresses.json' with { type: 'json' }

type HostedProvider = Exclude<BotCheckProvider, 'altcha'>

/** One question to a provider, in the form that all three share. */
export interface Verification {
  provider: HostedProvider
  /** Replaces the provider's own address. */
  verifyUrl: string | null
  /** Whether `verifyUrl` may lead to this machine. */
  verifiesHere: boolean
  secret: string
  token: string
  /** The visitor's address, if the account stores it in full; `null`: not sent. */
  remoteIp: string | null
}

/**
 * `secret_refused`: the provider does not know the account's secret. `no_answer`: none in time that can be read. `forbidden`: nothing
 * may be sent to `verifyUrl`.
 */
type VerificationOutcome = 'verified' | 'not_verified' | 'secret_refused' | 'no_answer' | 'forbidden'

/** What decides where verifications may go. */
export interface Outbound {
  guard: Guard
  lookup: AddressLookup
}

/** An answer is some hundred bytes. */
const answerBytesMax = 16_384

/**
 * Asks the provider whether it issued the token to a human (the `siteverify` interface). Only a `200` with the JSON boolean
 * `"success": true` counts. The signal aborts the whole request, including its body.
 */
export async function verifyWithProvider(
  asked: Verification,
  signal: AbortSignal,
  outbound: Outbound,
): Promise<VerificationOutcome> {
  try {
    const response =
      asked.verifyUrl === null
        ? await askProvider(asked, signal)
        : await askElsewhere(new URL(asked.verifyUrl), { asked, signal, outbound })
    if (response === 'forbidden') return response
    const text = await boundedText(response, answerBytesMax, new TextDecoder('utf-8', { fatal: true }))
    return response.status === 200 ? outcomeOf(JSON.parse(text ?? '')) : 'no_answer'
  } catch {
    return 'no_answer'
  }
}

const headers = { accept: 'application/json', 'accept-encoding': 'identity' }

/** The providers' own addresses are ours: connections to them are shared. */
const askProvider = (asked: Verification, signal: AbortSignal): Promise<Response> =>
  // A redirect could send the secret elsewhere.
  fetch(addresses[asked.provider], { method: 'POST', body: questionOf(asked), headers, redirect: 'manual', signal })

/** Looked up for every question: the account chose the name. */
async function askElsewhere(
  url: URL,
  { asked, signal, outbound: { guard, lookup } }: { asked: Verification; signal: AbortSignal; outbound: Outbound },
): Promise<Response | 'forbidden'> {
  const within = asked.verifiesHere ? orThisMachine(guard) : guard
  const judged = await unlessAborted(judgeHost(url, within, lookup), signal)
  if ('refusal' in judged) return 'forbidden'
  const type = 'application/x-www-form-urlencoded;charset=UTF-8'
  const sent = { headers: { ...headers, 'content-type': type }, body: String(questionOf(asked)), ca: null, signal }
  let failure: unknown
  for (const address of judged.addresses) {
    try {
      return await pinnedFetch(url, address, sent)
    } catch (error) {
      failure = error
      if (!isBeforeSending(error)) break
    }
  }
  throw failure
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
