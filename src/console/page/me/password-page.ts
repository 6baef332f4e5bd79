import { html, type Markup } from '../../../lib/html.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { faultLine } from '../../look/notice.ts'
import { proofBudget } from '../../sign-in/attempts.ts'
import { newPasswordFault, passwordCharactersMin } from '../../sign-in/password.ts'
import { FormRefusal } from '../form-refusal.ts'
import type { BoxPage, PageAct, PageCall, PageContent } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { refusedProof } from './noted-proof.ts'

/** `/me/password`: a new password. All other sessions end, in case somebody else knew the old one. */
export const passwordPage: BoxPage = {
  of: 'box',
  path: '/me/password',
  for: 'signed_in',
  asksAgain: true,
  show: (call, box) => content(call, box, null),
  forms: { chosen: () => change, refused: (call, box, why) => content(call, box, why.message) },
}

const change: PageAct<PageCall> = {
  noted: { action: 'password.change', subject: ({ caller }) => caller.userId },
  async run(call, box) {
    const { caller, fields } = call
    const password = fields.get('password') ?? ''
    const fault =
      (await faultOfCurrent(call, box)) ??
      (password === fields.get('again')
        ? await newPasswordFault(password, caller.email, box)
        : 'The two passwords differ.')
    if (fault !== null) throw new FormRefusal(fault)
    await box.users.keepCredentials(caller.userId, { passwordHash: await box.passwords.hash(password) })
    await box.sessions.endOthers(caller.userId, caller.sessionId)
    return { answer: seeOther('/me'), said: 'Changed the password, and ended all other sessions.' }
  },
}

/** Whoever forgot the password can set a new one with a passkey. */
async function asksForCurrent({ caller }: PageCall, { users }: ConsoleBox): Promise<boolean> {
  return caller.provedBy === 'password' && (await users.credentials(caller.userId))?.passwordHash !== null
}

async function faultOfCurrent(call: PageCall, box: ConsoleBox): Promise<string | null> {
  if (!(await asksForCurrent(call, box))) return null
  const { caller, address, secure } = call
  const by = { caller, address, secure, endpoint: 'POST /me/password' } as const
  if ((await box.budgets.take([proofBudget(caller.sessionId)])) > 0) {
    await refusedProof(by, box, 'too_many')
    return 'Too many tries. Wait a few minutes, then try again.'
  }
  const credentials = await box.users.credentials(caller.userId)
  const current = call.fields.get('current') ?? ''
  if (await box.passwords.verify(current, credentials?.passwordHash ?? null, { isKnown: true })) return null
  await refusedProof(by, box, 'wrong_proof')
  return 'The current password is wrong.'
}

const content = async (call: PageCall, box: ConsoleBox, fault: string | null): Promise<PageContent> => ({
  title: 'New password',
  body: html`${faultLine(fault)}
<form class="narrow" method="post">${(await asksForCurrent(call, box)) ? currentField : null}<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${passwordCharactersMin}">
<p class="hint">At least ${passwordCharactersMin} characters. Four random words make a good password.</p>
<label for="again">Repeat the new password</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<p class="do"><button>Change the password</button></p></form>
<p class="hint">Your other sessions end.</p>`,
})

const currentField: Markup = html`<label for="current">Current password</label>
<input id="current" name="current" type="password" autocomplete="current-password" required>
<p class="hint">If you forgot it, <a href="/prove?to=/me/password">confirm who you are with a passkey</a> instead.</p>`
