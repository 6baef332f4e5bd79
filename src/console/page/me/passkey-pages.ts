import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { UserCaller } from '../../access/caller.ts'
import { doneBy, note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { isProved } from '../../session/session.ts'
import type { OpenPage } from '../entry/open-page.ts'
import { scriptAnswer, scriptRefusal, scriptRequest } from '../json-request.ts'
import { messagePage } from '../message-page.ts'
import type { PageRequest } from '../page-request.ts'
import { placeOf } from '../place-of.ts'
import { signedInUser } from '../signed-in-user.ts'

const noPage = async (): Promise<Response> => messagePage('nothingHere')

/** What the browser needs to make a passkey for the user. */
export const newPasskeyOptions: OpenPage = {
  path: '/me/passkeys/options',
  show: noPage,
  async act(asked, box) {
    const sent = await scriptRequest(asked.request)
    const caller = sent && (await provedUser(asked, box))
    const user = caller && (await box.users.find(caller.userId))
    if (user === null) return scriptRefusal(403)
    return scriptAnswer(await box.passkeys.registration(user, placeOf(asked.request, asked.secure)))
  },
}

export const newPasskey: OpenPage = {
  path: '/me/passkeys',
  show: noPage,
  async act(asked, box) {
    const sent = await scriptRequest(asked.request)
    const caller = sent && (await provedUser(asked, box))
    const user = caller && (await box.users.find(caller.userId))
    if (caller === null || user === null || sent === null) return scriptRefusal(403)
    const name = typeof sent.name === 'string' ? sent.name : ''
    const place = { ...placeOf(asked.request, asked.secure), name }
    const isKept = await box.passkeys.register(user, sent.credential as RegistrationResponseJSON, place)
    const by = doneBy({ caller, address: asked.address })
    const act = { action: 'passkey.add', accountId: null, subject: user.id, by } as const
    await note(act, box, { outcome: isKept ? 'done' : 'refused' })
    return isKept ? scriptAnswer({ to: '/me' }) : scriptRefusal(403)
  },
}

/** A user who has confirmed their identity within the last ten minutes. */
async function provedUser(asked: PageRequest, box: ConsoleBox): Promise<UserCaller | null> {
  const caller = await signedInUser(asked, box)
  return caller !== null && isProved(caller, box.clock.now()) ? caller : null
}
