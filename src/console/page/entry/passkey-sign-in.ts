import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { sessionCookie } from '../../session/session-cookie.ts'
import { signInBudgets } from '../../sign-in/attempts.ts'
import { beginSession } from '../../sign-in/sign-in.ts'
import { scriptAnswer, scriptRefusal, scriptRequest } from '../json-request.ts'
import { ownPath } from '../page-answer.ts'
import { placeOf } from '../place-of.ts'
import type { OpenPage } from './open-page.ts'

/** What the browser needs to sign in with a passkey. */
export const passkeySignInOptions: OpenPage = {
  path: '/sign-in/passkey/options',
  async act({ request, secure }, { passkeys }) {
    if ((await scriptRequest(request)) === null) return scriptRefusal(400)
    return scriptAnswer(await passkeys.authentication(placeOf(request, secure)))
  },
}

const endpoint = 'POST /sign-in/passkey'

export const passkeySignIn: OpenPage = {
  path: '/sign-in/passkey',
  async act({ request, address, secure }, box) {
    const sent = await scriptRequest(request)
    if (sent === null) return scriptRefusal(400)
    // No user is known before the signature is verified, so only the address has a budget.
    const [ofAddress] = signInBudgets(address, '')
    if (ofAddress !== undefined && (await box.budgets.take([ofAddress])) > 0) {
      await box.refused.note({ kind: 'too_many', endpoint, address })
      return scriptRefusal(429)
    }
    const user = await box.passkeys.authenticate(
      sent.credential as AuthenticationResponseJSON,
      placeOf(request, secure),
    )
    if (user === null) {
      await box.refused.note({ kind: 'wrong_passkey', endpoint, address })
      return scriptRefusal(403)
    }
    const { secret } = await beginSession(box, user, { address, userAgent: request.headers.get('user-agent') ?? '' })
    const to = ownPath(typeof sent.to === 'string' ? sent.to : null)
    return scriptAnswer({ to }, 200, { 'set-cookie': sessionCookie(secret, secure) })
  },
}
