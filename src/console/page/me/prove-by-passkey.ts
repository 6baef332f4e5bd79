import { ownPasskeyBudget } from '../../sign-in/attempts.ts'
import type { OpenPage } from '../entry/open-page.ts'
import { scriptAnswer, scriptRefusal, scriptRequest, scriptTooMany } from '../json-request.ts'
import { ownPath, withCookies } from '../page-answer.ts'
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
    const by = { caller, address, secure, endpoint: 'POST /prove/passkey' } as const
    const retryAfterSeconds = await box.budgets.take([ownPasskeyBudget(caller.sessionId)])
    if (retryAfterSeconds > 0) {
      await refusedProof(by, box, 'too_many')
      return scriptTooMany(retryAfterSeconds)
    }
    const user = await box.passkeys.authenticate(sent.credential, placeOf(request, secure))
    if (user?.id !== caller.userId) {
      await refusedProof(by, box, 'wrong_proof')
      return scriptRefusal(403)
    }
    const cookies = await noteProof(by, box, 'passkey')
    return withCookies(scriptAnswer({ to: ownPath(typeof sent.to === 'string' ? sent.to : null) }), cookies)
  },
}
