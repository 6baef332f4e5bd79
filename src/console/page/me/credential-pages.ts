import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { proofBudget } from '../../access/attempts.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { keptText } from '../../look/fields.ts'
import { faultLine } from '../../look/notice.ts'
import { qrPicture } from '../../look/qr-picture.ts'
import type { PageContent } from '../../page-content.ts'
import { newPasswordFault, passwordCharactersMin } from '../../sign-in/password.ts'
import { newRecoveryCodes, recoveryHashes } from '../../sign-in/recovery-codes.ts'
import { base32, base32Bytes, newTotpSecret, totpStep, totpUri } from '../../sign-in/totp.ts'
import { FormRefusal } from '../act-form.ts'
import type { BoxPage, PageAct, PageCall } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { refusedProof } from './prove-page.ts'

/** `/me/password`: a new password. All other sessions end, in case somebody else knew the old one. */
export const passwordPage: BoxPage = {
  path: '/me/password',
  for: 'signed_in',
  asksAgain: true,
  show: (call, box) => passwordContent(call, box, null),
  forms: { chosen: () => changePassword, refused: (call, box, why) => passwordContent(call, box, why.message) },
}

const changePassword: PageAct<PageCall> = {
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
    return { answer: seeOther('/me'), notice: 'Changed the password, and ended all other sessions.' }
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

const passwordContent = async (call: PageCall, box: ConsoleBox, fault: string | null): Promise<PageContent> => ({
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

/** `/me/app`: another authenticator app, for example on a new phone. Codes of the old app stop working, and all other sessions end. */
export const authenticatorPage: BoxPage = {
  path: '/me/app',
  for: 'signed_in',
  asksAgain: true,
  show: async (call) => appContent(call, newTotpSecret(), null),
  forms: {
    chosen: () => changeApp,
    // The same key again: the app has it by now.
    refused: async (call, _, why) => appContent(call, keyIn(call) ?? newTotpSecret(), why.message),
  },
}

const keyIn = ({ fields }: PageCall): Uint8Array | null => base32Bytes(fields.get('totp') ?? '')

const changeApp: PageAct<PageCall> = {
  noted: { action: 'app.change', subject: ({ caller }) => caller.userId },
  async run(call, box) {
    const { caller, fields } = call
    const totpSecret = keyIn(call)
    const totpLastStep = totpSecret && totpStep(totpSecret, fields.get('code') ?? '', box.clock.now())
    if (totpLastStep === null) throw new FormRefusal(wrongFirstCode)
    await box.users.keepCredentials(caller.userId, { totpSecret, totpLastStep })
    await box.sessions.endOthers(caller.userId, caller.sessionId)
    return { answer: seeOther('/me'), notice: 'The new app makes your codes now. All other sessions ended.' }
  },
}

const appContent = ({ caller }: PageCall, totp: Uint8Array, fault: string | null): PageContent => ({
  title: 'New authenticator app',
  body: html`${faultLine(fault)}
<form class="narrow" method="post">${authenticatorFields(totp, caller.email)}
<p class="do"><button>Use this app</button></p></form>
<p class="hint">Your other sessions end.</p>`,
})

/** `/me/recovery-codes`: new codes that replace the remaining ones. */
export const recoveryCodesPage: BoxPage = {
  path: '/me/recovery-codes',
  for: 'signed_in',
  asksAgain: true,
  async show({ caller }, { users }) {
    const credentials = await users.credentials(caller.userId)
    return {
      title: 'Recovery codes',
      body: html`<p>You have ${plural(credentials?.recoveryHashes.length ?? 0, 'code')} left. New codes replace all of them.</p>
<form method="post"><p class="do"><button>Make new codes</button></p></form>`,
    }
  },
  forms: { chosen: () => changeCodes },
}

const changeCodes: PageAct<PageCall> = {
  noted: { action: 'recovery_codes.change', subject: ({ caller }) => caller.userId },
  async run({ caller }, box) {
    const { passwordHash = null } = (await box.users.credentials(caller.userId)) ?? {}
    const codes = newRecoveryCodes()
    await box.users.keepCredentials(caller.userId, { recoveryHashes: await recoveryHashes(codes, box.passwords) })
    const body = html`${recoveryCodeList(codes, passwordHash === null ? 'passkey' : 'app')}<p class="do"><a class="button" href="/me">I have saved them</a></p>`
    return { answer: { title: 'Keep these codes', body } }
  },
}

/** The fields of a form that sets up an authenticator app: its key as a picture, a link and text, and the first code. */
export function authenticatorFields(totp: Uint8Array, email: string): Markup {
  const uri = totpUri(totp, { email, issuer: 'Capture' })
  const key = base32(totp)
  return html`<input type="hidden" name="totp" value="${key}">
<p>Scan this with an app such as Aegis, 1Password or Google Authenticator, then type the code that it shows.</p>
${qrPicture(uri, 'The key for the app as a QR code; it is shown as text below')}
<p><a href="${uri}">Open in an app on this device</a>, or type the key: <code class="wrap">${key.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
<label for="code">Code from the app</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="7">`
}

export const wrongFirstCode =
  'This is not the code that the app shows now. Check that the clock of your phone is right.'

/** @param codes in plain text, which only the user keeps @param replaced what they are for when it is lost */
export const recoveryCodeList = (codes: readonly string[], replaced: 'app' | 'passkey'): Markup =>
  html`<p>${uses[replaced]} They are not shown again: print them, or save them in your password manager.</p>
${keptText({ id: 'codes', label: 'Recovery codes', text: codes.join('\n'), rows: codes.length, file: 'capture-recovery-codes.txt' })}`

const uses = {
  app: 'Each code signs you in once without the app.',
  passkey: 'Each code signs you in once without the passkey: type your address and the code, and no password.',
}
