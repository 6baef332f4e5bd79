import { retryAfterMs } from '../../lib/retry-after.ts'
import { asMembers, type Members, membersOf, textIn } from './answers.ts'
import { AcmeProblem, type AcmeProblemKind } from './problem.ts'
import type { Answer } from './transport.ts'
import { cleanedText } from './untrusted-text.ts'

const prefix = 'urn:ietf:params:acme:error:'
const subproblemsMax = 10

/** RFC 8555 section 6.7, RFC 9773 section 7.4, draft-ietf-acme-profiles section 5. */
const kinds: Readonly<Record<string, AcmeProblemKind>> = {
  accountDoesNotExist: 'accountGone',
  alreadyReplaced: 'alreadyReplaced',
  badNonce: 'badNonce',
  badPublicKey: 'badSignature',
  badSignatureAlgorithm: 'badSignature',
  caa: 'rejected',
  connection: 'rejected',
  dns: 'rejected',
  externalAccountRequired: 'externalBindingRequired',
  incorrectResponse: 'rejected',
  invalidContact: 'contactRefused',
  invalidProfile: 'invalidProfile',
  rateLimited: 'rateLimited',
  rejectedIdentifier: 'rejected',
  serverInternal: 'unreachable',
  tls: 'rejected',
  unsupportedContact: 'contactRefused',
  unsupportedIdentifier: 'rejected',
  userActionRequired: 'terms',
}

/** The problem stated by an answer with an error status (RFC 7807), or derived from the status. */
export function problemOf(answer: Answer, now: number): AcmeProblem {
  const { status, headers } = answer
  const wait = { status, retryAfterMs: retryAfterMs(headers.get('retry-after'), now) }
  try {
    return statedProblem(membersOf(answer), wait)
  } catch (error) {
    if (!(error instanceof AcmeProblem)) throw error
    // Proxies and overloaded servers answer with their own error pages.
    if (status < 500 && status !== 429) return error
    return new AcmeProblem({ kind: status === 429 ? 'rateLimited' : 'unreachable', detail: error.detail, ...wait })
  }
}

interface Heard {
  status?: number | null
  retryAfterMs?: number | null
}

/** The problem stated by an answer, or by the `error` of an order or challenge. */
export function statedProblem(members: Members, heard: Heard = {}): AcmeProblem {
  const type = cleanedText(textIn(members, 'type'))
  const subproblems = subproblemsOf(members)
  const stated = cleanedText(textIn(members, 'detail') || textIn(members, 'title'))
  const instance = cleanedText(textIn(members, 'instance'))
  const detail = [stated || type || 'no reason was given', instance && `(see ${instance})`].filter(Boolean).join(' ')
  return new AcmeProblem({ kind: kindOf(type, detail, heard.status ?? 0), type, detail, subproblems, ...heard })
}

function kindOf(type: string, detail: string, status: number): AcmeProblemKind {
  const kind = type.startsWith(prefix) ? kinds[type.slice(prefix.length)] : undefined
  if (kind !== undefined) return kind
  // There is no error type for a bad signature: servers report it as malformed or unauthorized.
  if (/\bJWS verification|signature (?:is )?(?:invalid|not valid)|invalid signature/i.test(detail))
    return 'badSignature'
  if (status === 429) return 'rateLimited'
  return status >= 500 ? 'unreachable' : 'refused'
}

function subproblemsOf(members: Members): string[] {
  const list = Array.isArray(members.subproblems) ? members.subproblems.slice(0, subproblemsMax) : []
  return list.map((subproblem) => cleanedText(textIn(asMembers(subproblem) ?? {}, 'detail'))).filter(Boolean)
}
