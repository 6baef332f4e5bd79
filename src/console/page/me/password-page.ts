import { html, type Markup } from '../../../lib/html.ts'
import { faultLine } from '../../look/fault.ts'
import { passwordCharactersMin, passwordFault } from '../../sign-in/password.ts'
import { FormRefusal } from '../form-refusal.ts'
import type { BoxPage, PageAct, PageCall } from '../page.ts'
import { seeOther } from '../page-answer.ts'

/** `/me/password`: a new password. All other sessions end, in case somebody else knew the old one. */
export const passwordPage: BoxPage = {
  of: 'box',
  path: '/me/password',
  for: 'signed_in',
  asksAgain: true,
  show: async () => content(null),
  forms: { chosen: () => change, refused: async (_call, _box, why) => content(why.message) },
}

const change: PageAct<PageCall> = {
  noted: { action: 'password.change', subject: ({ caller }) => caller.userId },
  async run({ caller, fields }, box) {
    const password = fields.get('password') ?? ''
    const fault = password === fields.get('again') ? passwordFault(password, caller.email) : 'The two passwords differ.'
    if (fault !== null) throw new FormRefusal(fault)
    await box.users.keepCredentials(caller.userId, { passwordHash: await box.passwords.hash(password) })
    await box.sessions.endOthers(caller.userId, caller.sessionId)
    return { answer: seeOther('/me') }
  },
}

const content = (fault: string | null): { title: string; body: Markup } => ({
  title: 'New password',
  body: html`${faultLine(fault)}
<form class="narrow" method="post"><label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${passwordCharactersMin}">
<p class="hint">At least ${passwordCharactersMin} characters. Four random words make a good password.</p>
<label for="again">Repeat the new password</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<p class="do"><button>Change the password</button></p></form>
<p class="hint">Your other sessions end.</p>`,
})
