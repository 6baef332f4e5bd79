import { html, type Markup } from '../../../lib/html.ts'
import { signInBudgets } from '../../sign-in/attempts.ts'
import { TooManyPasswords } from '../../sign-in/password.ts'
import { isProvedByPassword } from '../../sign-in/sign-in.ts'
import { messagePage } from '../message-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { ownPath, seeOther } from '../page-answer.ts'

/** `/prove?to=PATH`: asks again who the user is, before what must not be done by whoever finds a screen open. */
export const provePage: BoxPage = {
  of: 'box',
  path: '/prove',
  for: 'signed_in',
  async show({ url }) {
    return { title: 'Confirm who you are', body: form(ownPath(url.searchParams.get('to')), null) }
  },
  async act({ caller, address, fields }: PageCall, box) {
    const to = ownPath(fields.get('to') ?? null)
    if ((await box.budgets.take(signInBudgets(address, caller.email))) > 0) return messagePage('busy')
    const user = await box.users.find(caller.userId)
    const credentials = await box.users.credentials(caller.userId)
    const given = { password: fields.get('password') ?? '', code: fields.get('code') ?? '' }
    try {
      if (await isProvedByPassword(box, { user, credentials, given })) {
        await box.sessions.noteProof(caller.sessionId, box.clock.now())
        return seeOther(to)
      }
    } catch (error) {
      if (error instanceof TooManyPasswords) return messagePage('busy')
      throw error
    }
    return {
      title: 'Confirm who you are',
      body: form(to, 'Password and code do not fit together. Each code works once.'),
    }
  },
}

const form = (
  to: string,
  fault: string | null,
): Markup => html`${fault === null ? null : html`<p class="fault" role="alert">${fault}</p>`}
<p>You signed in a while ago. This is asked for before keys, users and erasures, in case somebody else sits here.</p>
<form class="narrow" method="post" action="/prove"><input type="hidden" name="to" value="${to}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<label for="code">Code</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required maxlength="40">
<p class="do"><button>Confirm</button> <button type="button" class="quiet" data-passkey="prove" aria-describedby="passkey-words" hidden>Use a passkey</button></p>
<p id="passkey-words" class="fault" role="status"></p></form>`
