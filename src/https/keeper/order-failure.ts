import { AcmeProblem, type AcmeProblemKind } from '../acme/problem.ts'
import type { OrderOutcome } from '../certificate-store.ts'
import type { Refused } from './name-steps.ts'
import { authorityName, type OrderTarget } from './targets.ts'

/** The outcome of an order without a certificate. */
export interface OrderFailure extends Refused {
  outcome: OrderOutcome
  /** Whether every other order would fail too. */
  isOfAuthority: boolean
}

/** Failures of the authority or the connection to it, which no name caused. */
const ofAuthority: readonly AcmeProblemKind[] = [
  'unreachable',
  'accountGone',
  'keyRefused',
  'contactRefused',
  'terms',
  'externalBindingRequired',
  'externalBindingRefused',
  'invalidProfile',
]
/** Failures worth retrying at the staging directory, because the authority judged the name or its order. */
const worthTrial: readonly AcmeProblemKind[] = ['rejected', 'refused', 'noChallenge', 'stuck']

/** @param hasStaging whether the authority has a staging directory */
export function orderFailure(error: unknown, { directory, isTrial }: OrderTarget, hasStaging: boolean): OrderFailure {
  const name = authorityName(directory)
  if (!(error instanceof AcmeProblem)) {
    const words = error instanceof Error ? error.name : 'unknown'
    return {
      ...{ reason: `The order at ${name} ended early (${words}).`, retryAfterMs: null, isTrial, state: 'failing' },
      ...{ outcome: 'unanswered', isOfAuthority: false },
    }
  }
  const { kind, retryAfterMs } = error
  return {
    reason: sentence(words(error, name)),
    retryAfterMs,
    isTrial: isTrial || (hasStaging && worthTrial.includes(kind)),
    state: kind === 'unreachable' || kind === 'rateLimited' ? 'waiting' : 'failing',
    outcome: outcomeOf(kind),
    isOfAuthority: ofAuthority.includes(kind),
  }
}

function outcomeOf(kind: AcmeProblemKind): OrderOutcome {
  if (kind === 'rateLimited') return 'rateLimited'
  return worthTrial.includes(kind) ? 'refused' : 'unanswered'
}

function words({ kind, detail, subproblems }: AcmeProblem, name: string): string {
  const more = subproblems.filter((part) => !detail.includes(part))
  const all = [detail, ...more].join('; ')
  switch (kind) {
    case 'unreachable':
      return `The certificate authority ${name} cannot be reached: ${all}`
    case 'rateLimited':
      return `The certificate authority ${name} demands a pause: ${all}`
    case 'contactRefused':
      return `The certificate authority ${name} does not accept \`[https] email\`: ${all}`
    case 'invalidProfile':
      return `The certificate authority ${name} does not know \`[https] profile\`: ${all}`
    case 'externalBindingRequired':
      return `The certificate authority ${name} requires \`[https] eab_kid\` and \`eab_hmac\`: ${all}`
    case 'externalBindingRefused':
      return `The certificate authority ${name} does not accept \`[https] eab_kid\` and \`eab_hmac\`: ${all}`
    default:
      return `The certificate authority ${name} says: ${all}`
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
