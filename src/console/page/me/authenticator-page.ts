import { html } from '../../../lib/html.ts'
import { isProved } from '../../session/session.ts'
import { base32Bytes, newTotpSecret, totpStep } from '../../sign-in/totp.ts'
import { authenticatorFields, wrongFirstCode } from '../authenticator.ts'
import type { BoxPage, PageCall, PageContent } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { noteBoxAct } from '../page-audit.ts'

/** `/me/app`: another authenticator app, as for a new phone. The old one's codes are good no more. */
export const authenticatorPage: BoxPage = {
  of: 'box',
  path: '/me/app',
  for: 'signed_in',
  async show(call, { clock }) {
    return isProved(call.caller, clock.now()) ? content(call, newTotpSecret(), null) : seeOther('/prove?to=/me/app')
  },
  async act(call, box) {
    const { caller, fields } = call
    if (!isProved(caller, box.clock.now())) return seeOther('/prove?to=/me/app')
    const totpSecret = base32Bytes(fields.get('totp') ?? '')
    if (totpSecret === null) return seeOther('/me/app')
    const totpLastStep = totpStep(totpSecret, fields.get('code') ?? '', box.clock.now())
    if (totpLastStep === null) return content(call, totpSecret, wrongFirstCode)
    await box.users.keepCredentials(caller.userId, { totpSecret, totpLastStep })
    await noteBoxAct(call, { action: 'app.change', subject: caller.userId, box })
    return seeOther('/me')
  },
}

const content = ({ caller }: PageCall, totp: Uint8Array, fault: string | null): PageContent => ({
  title: 'New authenticator app',
  body: html`${fault === null ? null : html`<p class="fault" role="alert">${fault}</p>`}
<form class="narrow" method="post">${authenticatorFields(totp, caller.email)}
<p class="do"><button>Use this app</button></p></form>`,
})
