import { retryAfterMs } from '../../lib/exchange.ts'
import type { AccountKey, Signer } from './account-key.ts'
import type { AcmeConnection } from './acme-connection.ts'
import type { ChallengeAnswers } from './authority.ts'
import { persistRecordFits, persistRecordName } from './persist-record.ts'
import { AcmeProblem, cleanedText } from './problem.ts'
import {
  asMembers,
  type Members,
  membersOf,
  statedProblem,
  textIn,
  textsIn,
  unintelligible,
  urlIn,
} from './transport.ts'

/** Signs requests of an account. */
export interface AccountSigner extends Signer {
  key: AccountKey
  kid: string
}

interface Wanted {
  url: string
  host: string
  answers: ChallengeAnswers
  signer: AccountSigner
}

const challengesMax = 20
/** RFC 8555 section 8.1: base64url; it becomes part of a path. */
const tokenPattern = /^[A-Za-z0-9_-]{1,256}$/

/**
 * Proves control of a host to the authority (RFC 8555 section 7.5), unless it is already proven.
 *
 * @throws AcmeProblem `rejected` with the authority's observation, `noChallenge` when no offered challenge can be answered
 */
export async function authorize(connection: AcmeConnection, wanted: Wanted, signal: AbortSignal): Promise<void> {
  const { url, host, signer } = wanted
  const authorization = membersOf(await connection.read(url, signer, signal))
  const named = textIn(asMembers(authorization.identifier) ?? {}, 'value')
  if (named !== host) throw unintelligible(`${url} is about ${named || 'no host'} instead of ${host}`)
  const status = textIn(authorization, 'status')
  if (status === 'valid') return
  if (status !== 'pending') throw failureOf(authorization)
  try {
    await meetChallenge(connection, wanted, challengesOf(authorization), signal)
  } catch (error) {
    const isUnreachable = error instanceof AcmeProblem && error.kind === 'unreachable'
    if (!isUnreachable && !signal.aborted) await deactivate(connection, wanted, signal)
    throw error
  }
}

async function meetChallenge(
  connection: AcmeConnection,
  wanted: Wanted,
  challenges: Members[],
  signal: AbortSignal,
): Promise<void> {
  const persisted = await persistedChallenge(connection, wanted, challenges, signal)
  if (persisted !== null) return validate(connection, wanted, persisted, signal)
  const http = challenges.find((challenge) => textIn(challenge, 'type') === 'http-01')
  if (http === undefined || wanted.answers.http01 === null) throw noChallenge(challenges)
  const token = textIn(http, 'token')
  if (!tokenPattern.test(token)) throw unintelligible(`${wanted.url} has an HTTP-01 challenge without a token`)
  const keyAuthorization = `${token}.${wanted.signer.key.thumbprint}`
  await using _shown = await wanted.answers.http01({ host: wanted.host, token, keyAuthorization })
  await validate(connection, wanted, http, signal)
}

/** The `dns-persist-01` challenge, if the authority offers it and a matching record exists. */
async function persistedChallenge(
  connection: AcmeConnection,
  { host, answers, signer }: Wanted,
  challenges: Members[],
  signal: AbortSignal,
): Promise<Members | null> {
  const challenge = challenges.find((offered) => textIn(offered, 'type') === 'dns-persist-01')
  if (challenge === undefined || answers.txtRecords === null) return null
  const issuers = textsIn(challenge, 'issuer-domain-names').map((name) => name.toLowerCase())
  // Only some drafts name the account in the challenge. If named, the record is compared with that account.
  const accountUrl = textIn(challenge, 'accounturi') || signer.kid
  const wanted = { issuers, accountUrl, now: connection.parts.clock.now() }
  const records = await answers.txtRecords(persistRecordName(host), signal)
  return records.some((record) => persistRecordFits(record, wanted)) ? challenge : null
}

/** Asks the authority to validate, and waits for the result. */
async function validate(
  connection: AcmeConnection,
  { url, host, signer }: Wanted,
  challenge: Members,
  signal: AbortSignal,
): Promise<void> {
  const { limits, pause } = connection.parts
  await connection.post(urlIn(challenge, 'url', `a challenge of ${url}`), {}, signer, signal)
  // No authority has validated by the time it answers, so an immediate poll would be wasted.
  await pause(limits.pollMsMin, signal)
  const what = `The authority's look at ${host}`
  const done = await pollUntilDone(connection, { url, what, signer, whileStatus: ['pending'] }, signal)
  if (textIn(done, 'status') !== 'valid') throw failureOf(done)
}

/** The error of an authorization's failed challenge. */
function failureOf(authorization: Members): AcmeProblem {
  const stated = challengesOf(authorization).map((challenge) => asMembers(challenge.error))
  const problem = stated.find((error) => error !== null)
  if (problem !== undefined && problem !== null) {
    const failure = statedProblem(problem)
    // Here `unauthorized` and `malformed` concern the host's answer.
    return failure.kind === 'refused' ? failure.as('rejected') : failure
  }
  const status = cleanedText(textIn(authorization, 'status')) || 'of no status'
  return new AcmeProblem({ kind: 'rejected', detail: `the authority gave no reason (authorization is ${status})` })
}

function noChallenge(challenges: Members[]): AcmeProblem {
  const offered = challenges.map((challenge) => cleanedText(textIn(challenge, 'type'))).join(', ') || 'nothing'
  const detail = `the authority offers ${offered}; neither HTTP-01 nor a TXT record for dns-persist-01 can answer that`
  return new AcmeProblem({ kind: 'noChallenge', detail })
}

function challengesOf(authorization: Members): Members[] {
  const list = Array.isArray(authorization.challenges) ? authorization.challenges.slice(0, challengesMax) : []
  return list.map(asMembers).filter((challenge) => challenge !== null)
}

/**
 * Deactivates an abandoned authorization (RFC 8555 section 7.5.2), because authorities limit the number of pending ones.
 * A decided one is unaffected.
 */
async function deactivate(connection: AcmeConnection, { url, signer }: Wanted, signal: AbortSignal): Promise<void> {
  try {
    const { status } = membersOf(await connection.post(url, '', signer, signal))
    if (status === 'pending') await connection.post(url, { status: 'deactivated' }, signer, signal)
  } catch {
    // Report the original failure, not this one.
  }
}

interface Polled {
  url: string
  /** The subject for an error message, at the start of a sentence. */
  what: string
  signer: Signer
  /** Unfinished statuses (RFC 8555 section 7.1.6). */
  whileStatus: readonly string[]
}

/**
 * Polls an order or authorization at the authority's interval (`Retry-After`) until it is finished.
 *
 * @throws AcmeProblem `stuck` when that takes too long
 */
export async function pollUntilDone(
  connection: AcmeConnection,
  { url, what, signer, whileStatus }: Polled,
  signal: AbortSignal,
): Promise<Members> {
  const { clock, limits, pause } = connection.parts
  const deadline = clock.monotonicMs() + limits.orderMsMax
  let answer = await connection.read(url, signer, signal)
  for (;;) {
    const members = membersOf(answer)
    const status = textIn(members, 'status')
    if (!whileStatus.includes(status)) return members
    const asked = retryAfterMs(answer.headers.get('retry-after'), clock.now()) ?? limits.pollMsMin
    const wait = Math.min(Math.max(asked, limits.pollMsMin), limits.pollMsMax)
    if (clock.monotonicMs() + wait > deadline) {
      const detail = `${what} is still "${cleanedText(status)}" after ${limits.orderMsMax / 1000} s`
      throw new AcmeProblem({ kind: 'stuck', detail })
    }
    await pause(wait, signal)
    answer = await connection.read(url, signer, signal)
  }
}
