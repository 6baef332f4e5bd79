import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { signInBudgets } from '../../sign-in/attempts.ts'
import type { OpenPage } from '../entry/open-page.ts'
import { scriptAnswer, scriptRefusal, scriptRequest } from '../json-request.ts'
import { ownPath } from '../page-answer.ts'
import { placeOf } from '../place-of.ts'
import { signedInUser } from '../signed-in-user.ts'
import { noteProof, refusedProof } from './noted-proof.ts'

/** A passkey as the proof that `/prove` asks for. It must belong to the signed-in user. */
export const proveByPasskey: OpenPage = {
  path: '/prove/passkey',
  async act(asked, box) {
    const { request, address, secure } = asked
    const sent = await scriptRequest(request)
    const caller = sent && (await signedInUser(asked, box))
    if (sent === null || caller === null) return scriptRefusal(403)
    const by = { caller, address, endpoint: 'POST /prove/passkey' } as const
    if ((await box.budgets.take(signInBudgets(address, caller.email))) > 0) {
      await refusedProof(by, box, 'too_many')
      return scriptRefusal(429)
    }
    const credential = sent.credential as AuthenticationResponseJSON
    const user = await box.passkeys.authenticate(credential, placeOf(request, secure))
    const isProved = user?.id === caller.userId
    await noteProof(by, box, isProved)
    if (!isProved) return scriptRefusal(403)
    return scriptAnswer({ to: ownPath(typeof sent.to === 'string' ? sent.to : null) })
  },
}
