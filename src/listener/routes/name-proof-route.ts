import { nameProof } from '../../https/name/name-proof.ts'
import type { Arrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../on-site.ts'

const headers = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** `GET /.well-known/capture/NONCE`: proves to this box's own processes that a name leads to it. */
export const nameProofRoute =
  ({ directory }: Pick<ListenerParts, 'directory'>) =>
  (arrival: Arrival, { nonce = '' }: Record<string, string>): Response => {
    const proof = nameProof(directory.signingKeys.current('name').secret, arrival.host, nonce)
    return proof === null ? notHere(arrival) : new Response(proof, { headers })
  }
