import { passkeyBudget } from '../../sign-in/attempts.ts'
import { beginSession, browserOf } from '../../sign-in/sign-in.ts'
import { scriptAnswer, scriptRefusal, scriptRequest, scriptTooMany } from '../json-request.ts'
import { ownPath, withCookies } from '../page-answer.ts'
import { placeOf } from '../place-of.ts'
import type { OpenPage } from './open-page.ts'

/** What the browser needs to sign in with a passkey. */
export const passkeySignInOptions: OpenPage = {
  path: '/sign-in/passkey/options',
  async act({ request, address, secure }, { passkeys, budgets, refused }) {
    if ((await scriptRequest(request)) === null) return scriptRefusal(400)
    const retryAfterSeconds = await budgets.take([passkeyBudget('options', address)])
    if (retryAfterSeconds > 0) {
      await refused.note({ kind: 'too_many', endpoint: 'POST /sign-in/passkey/options', address })
      return scriptTooMany(retryAfterSeconds)
    }
    return scriptAnswer(await passkeys.authentication(placeOf(request, secure)))
  },
}

const endpoint = 'POST /sign-in/passkey'

export const passkeySignIn: OpenPage = {
  path: '/sign-in/passkey',
  async act(asked, box) {
    const { request, address, secure } = asked
    const sent = await scriptRequest(request)
    if (sent === null) return scriptRefusal(400)
    const retryAfterSeconds = await box.budgets.take([passkeyBudget('answer', address)])
    if (retryAfterSeconds > 0) {
      await box.refused.note({ kind: 'too_many', endpoint, address })
      return scriptTooMany(retryAfterSeconds)
    }
    const user = await box.passkeys.authenticate(sent.credential, placeOf(request, secure))
    if (user === null) {
      await box.refused.note({ kind: 'wrong_passkey', endpoint, address })
      return scriptRefusal(403)
    }
    const { cookies } = await beginSession(box, user, { ...browserOf(asked), provedBy: 'passkey' })
    return withCookies(scriptAnswer({ to: ownPath(typeof sent.to === 'string' ? sent.to : null) }), cookies)
  },
}
