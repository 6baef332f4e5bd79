import { html, type Markup } from '../../../lib/html.ts'
import { isProved } from '../../session/session.ts'
import { passwordCharactersMin, passwordFault } from '../../sign-in/password.ts'
import type { BoxPage } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { noteBoxAct } from '../page-audit.ts'

/** `/me/password`: a new password. Whoever knew the old one may be signed in elsewhere: all other sessions end. */
export const passwordPage: BoxPage = {
  of: 'box',
  path: '/me/password',
  for: 'signed_in',
  async show({ caller }, { clock }) {
    return isProved(caller, clock.now()) ? content(null) : seeOther('/prove?to=/me/password')
  },
  async act(call, box) {
    const { caller, fields } = call
    if (!isProved(caller, box.clock.now())) return seeOther('/prove?to=/me/password')
    const password = fields.get('password') ?? ''
    const fault = password === fields.get('again') ? passwordFault(password, caller.email) : 'The two passwords differ.'
    if (fault !== null) return content(fault)
    await box.users.keepCredentials(caller.userId, { passwordHash: await box.passwords.hash(password) })
    await box.sessions.endOthers(caller.userId, caller.sessionId)
    await noteBoxAct(call, { action: 'password.change', subject: caller.userId, box })
    return seeOther('/me')
  },
}

const content = (fault: string | null): { title: string; body: Markup } => ({
  title: 'New password',
  body: html`${fault === null ? null : html`<p class="fault" role="alert">${fault}</p>`}
<form class="narrow" method="post"><label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${passwordCharactersMin}">
<p class="hint">At least ${passwordCharactersMin} characters. Four words are a good password.</p>
<label for="again">New password, once more</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<p class="do"><button>Change the password</button></p></form>
<p class="hint">Your other sessions end.</p>`,
})
