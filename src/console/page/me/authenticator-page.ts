import { html } from '../../../lib/html.ts'
import { faultLine } from '../../look/notice.ts'
import { base32Bytes, newTotpSecret, totpStep } from '../../sign-in/totp.ts'
import { authenticatorFields, wrongFirstCode } from '../authenticator.ts'
import { FormRefusal } from '../form-refusal.ts'
import type { BoxPage, PageAct, PageCall, PageContent } from '../page.ts'
import { seeOther } from '../page-answer.ts'

/** `/me/app`: another authenticator app, for example on a new phone. Codes of the old app stop working, and all other sessions end. */
export const authenticatorPage: BoxPage = {
  of: 'box',
  path: '/me/app',
  for: 'signed_in',
  asksAgain: true,
  show: async (call) => content(call, newTotpSecret(), null),
  forms: {
    chosen: () => change,
    // The same key again: the app has it by now.
    refused: async (call, _, why) => content(call, keyIn(call) ?? newTotpSecret(), why.message),
  },
}

const keyIn = ({ fields }: PageCall): Uint8Array | null => base32Bytes(fields.get('totp') ?? '')

const change: PageAct<PageCall> = {
  noted: { action: 'app.change', subject: ({ caller }) => caller.userId },
  async run(call, box) {
    const { caller, fields } = call
    const totpSecret = keyIn(call)
    const totpLastStep = totpSecret && totpStep(totpSecret, fields.get('code') ?? '', box.clock.now())
    if (totpLastStep === null) throw new FormRefusal(wrongFirstCode)
    await box.users.keepCredentials(caller.userId, { totpSecret, totpLastStep })
    await box.sessions.endOthers(caller.userId, caller.sessionId)
    return { answer: seeOther('/me'), said: 'The new app makes your codes now. All other sessions ended.' }
  },
}

const content = ({ caller }: PageCall, totp: Uint8Array, fault: string | null): PageContent => ({
  title: 'New authenticator app',
  body: html`${faultLine(fault)}
<form class="narrow" method="post">${authenticatorFields(totp, caller.email)}
<p class="do"><button>Use this app</button></p></form>
<p class="hint">Your other sessions end.</p>`,
})
