import type { Arrived } from '../../arrived.ts'
import { doneBy, note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { isProved } from '../../session/session.ts'
import { ownPasskeyBudget } from '../../sign-in/attempts.ts'
import type { OpenPage } from '../entry/open-page.ts'
import { scriptAnswer, scriptRefusal, scriptRequest, scriptTooMany } from '../json-request.ts'
import { placeOf } from '../place-of.ts'
import { signedInUser } from '../signed-in-user.ts'

/** What the browser needs to make a passkey for the user. */
export const newPasskeyOptions: OpenPage = {
  path: '/me/passkeys/options',
  async act(asked, box) {
    const found = await provedRequest(asked, box)
    if (found === null) return scriptRefusal(403)
    const retryAfterSeconds = await box.budgets.take([ownPasskeyBudget(found.caller.sessionId)])
    if (retryAfterSeconds > 0) return scriptTooMany(retryAfterSeconds)
    return scriptAnswer(await box.passkeys.registration(found.user, placeOf(asked.request, asked.secure)))
  },
}

export const newPasskey: OpenPage = {
  path: '/me/passkeys',
  async act(asked, box) {
    const found = await provedRequest(asked, box)
    if (found === null) return scriptRefusal(403)
    const { sent, caller, user } = found
    const name = typeof sent.name === 'string' ? sent.name : ''
    const place = { ...placeOf(asked.request, asked.secure), name }
    const isKept = await box.passkeys.register(user, sent.credential, place)
    const by = doneBy({ caller, address: asked.address })
    const act = { action: 'passkey.add', accountId: null, subject: user.id, by } as const
    await note(act, box, { outcome: isKept ? 'done' : 'refused' })
    if (isKept)
      box.nextPages.keep(caller.sessionId, { path: '/me', said: { text: 'Added the passkey.' } }, box.clock.now())
    return isKept ? scriptAnswer({ to: '/me' }) : scriptRefusal(403)
  },
}

/** What the script sent for a user who has confirmed their identity within the last ten minutes; `null`: nobody of that kind. */
async function provedRequest(asked: Arrived, box: ConsoleBox) {
  const sent = await scriptRequest(asked.request)
  const caller = sent && (await signedInUser(asked, box))
  const user = caller && isProved(caller, box.clock.now()) ? await box.users.find(caller.userId) : null
  return sent && caller && user && { sent, caller, user }
}
