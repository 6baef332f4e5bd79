import type { Http01Answers } from '../../https/acme/authority.ts'
import { nameProof } from '../../https/name/name-proof.ts'
import { bare } from '../answer/answers.ts'
import type { Arrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'

const headers = {
  'content-type': 'application/octet-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/**
 * `GET /.well-known/acme-challenge/TOKEN` (RFC 8555 section 8.3) for any host: tokens cannot be guessed, and a proxy may have
 * changed the host.
 */
export const acmeChallengeRoute =
  (challenges: Pick<Http01Answers, 'answerTo'>) =>
  async ({ token = '' }: Record<string, string>): Promise<Response> => {
    const answer = await challenges.answerTo(token)
    return answer === null ? bare(404) : new Response(answer, { headers })
  }

const proofHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** `GET /.well-known/capture/NONCE`: proves to this box's own processes that a name leads to it. */
export const nameProofRoute =
  ({ directory }: Pick<ListenerParts, 'directory'>) =>
  (arrival: Arrival, { nonce = '' }: Record<string, string>): Response => {
    const proof = nameProof(directory.signingKeys.current('name').secret, arrival.host, nonce)
    return proof === null ? notHere(arrival) : new Response(proof, { headers: proofHeaders })
  }
