import { html } from '../../../lib/html.ts'
import { isProved } from '../../session/session.ts'
import { newRecoveryCodes, recoveryHash } from '../../sign-in/recovery-codes.ts'
import { recoveryCodeList } from '../authenticator.ts'
import type { BoxPage } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { noteBoxAct } from '../page-audit.ts'

/** `/me/recovery-codes`: new codes in place of those that are left. */
export const recoveryCodesPage: BoxPage = {
  of: 'box',
  path: '/me/recovery-codes',
  for: 'signed_in',
  async show({ caller }, { users, clock }) {
    if (!isProved(caller, clock.now())) return seeOther('/prove?to=/me/recovery-codes')
    const { recoveryHashes = [] } = (await users.credentials(caller.userId)) ?? {}
    return {
      title: 'Recovery codes',
      body: html`<p>You have ${recoveryHashes.length} left. New ones replace them all.</p>
<form method="post"><p class="do"><button>Make new codes</button></p></form>`,
    }
  },
  async act(call, box) {
    const { caller } = call
    if (!isProved(caller, box.clock.now())) return seeOther('/prove?to=/me/recovery-codes')
    const codes = newRecoveryCodes()
    await box.users.keepCredentials(caller.userId, { recoveryHashes: codes.map(recoveryHash) })
    await noteBoxAct(call, { action: 'recovery_codes.change', subject: caller.userId, box })
    return {
      title: 'Keep these codes',
      body: html`${recoveryCodeList(codes)}<p class="do"><a class="button" href="/me">I have kept them</a></p>`,
    }
  },
}
