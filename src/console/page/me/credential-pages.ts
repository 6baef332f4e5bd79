import type { Texts } from '../../../language/texts/en.ts'
import { filled } from '../../../language/wording.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { proofBudget } from '../../access/attempts.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField, keepButtons } from '../../look/fields.ts'
import { faultNote } from '../../look/notice.ts'
import { qrPicture } from '../../look/qr-picture.ts'
import type { PageContent } from '../../page-content.ts'
import { newPasswordFault, passwordCharactersMin } from '../../sign-in/password.ts'
import { newRecoveryCodes, recoveryHash } from '../../sign-in/recovery-codes.ts'
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
    const { me: words, entry } = call.locale.texts.console
    const password = fields.get('password') ?? ''
    const wanted = { password, email: caller.email, words: entry.passwordFaults }
    const fault =
      (await faultOfCurrent(call, box)) ??
      (password === fields.get('again') ? await newPasswordFault(wanted, box) : entry.passwordsDiffer)
    if (fault !== null) throw new FormRefusal(fault)
    await box.users.keepCredentials(caller.userId, { passwordHash: await box.passwords.hash(password) })
    await box.sessions.endOthers(caller.userId, caller.sessionId)
    return { answer: seeOther('/me'), notice: words.passwordChanged }
  },
}

/** Whoever forgot the password can set a new one with a passkey. */
async function asksForCurrent({ caller }: PageCall, { users }: ConsoleBox): Promise<boolean> {
  return caller.provedBy === 'password' && (await users.credentials(caller.userId))?.passwordHash !== null
}

async function faultOfCurrent(call: PageCall, box: ConsoleBox): Promise<string | null> {
  if (!(await asksForCurrent(call, box))) return null
  const { caller, address, secure } = call
  const { me: words } = call.locale.texts.console
  const by = { caller, address, secure, endpoint: 'POST /me/password' } as const
  if ((await box.budgets.take([proofBudget(caller.sessionId)])) > 0) {
    await refusedProof(by, box, 'too_many')
    return words.tooMany
  }
  const credentials = await box.users.credentials(caller.userId)
  const current = call.fields.get('current') ?? ''
  if (await box.passwords.verify(current, credentials?.passwordHash ?? null, { isKnown: true })) return null
  await refusedProof(by, box, 'wrong_proof')
  return words.wrongCurrent
}

async function passwordContent(call: PageCall, box: ConsoleBox, fault: string | null): Promise<PageContent> {
  const { me: words, entry } = call.locale.texts.console
  return {
    title: words.newPassword,
    body: html`${faultNote(fault)}
<form class="narrow" method="post">${(await asksForCurrent(call, box)) ? currentField(words) : null}<label for="password">${words.newPasswordField}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${passwordCharactersMin}">
<p class="hint">${filled(entry.passwordHint, { count: passwordCharactersMin })}</p>
<label for="again">${words.repeatNew}</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<p class="do"><button>${words.changeIt}</button></p></form>
<p class="hint">${words.othersEnd}</p>`,
  }
}

const currentField = (
  words: Texts['console']['me'],
): Markup => html`<label for="current">${words.currentPassword}</label>
<input id="current" name="current" type="password" autocomplete="current-password" required>
<p class="hint"><a href="/prove?to=/me/password">${words.forgot}</a></p>`

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
    if (totpLastStep === null) throw new FormRefusal(call.locale.texts.console.entry.wrongCode)
    await box.users.keepCredentials(caller.userId, { totpSecret, totpLastStep })
    await box.sessions.endOthers(caller.userId, caller.sessionId)
    return { answer: seeOther('/me'), notice: call.locale.texts.console.me.appChanged }
  },
}

function appContent({ caller, locale }: PageCall, totp: Uint8Array, fault: string | null): PageContent {
  const { me: words, entry } = locale.texts.console
  return {
    title: words.newApp,
    body: html`${faultNote(fault)}
<form class="narrow" method="post">${authenticatorFields(totp, caller.email, entry)}
<p class="do"><button>${words.useApp}</button></p></form>
<p class="hint">${words.othersEnd}</p>`,
  }
}

/** `/me/recovery-codes`: new codes that replace the remaining ones. */
export const recoveryCodesPage: BoxPage = {
  path: '/me/recovery-codes',
  for: 'signed_in',
  asksAgain: true,
  async show({ caller, locale }, { users }) {
    const { me: words, entry } = locale.texts.console
    const left = (await users.credentials(caller.userId))?.recoveryHashes.length ?? 0
    return {
      title: entry.codes,
      body: html`<p>${filled(words.codesLeft, { count: left })}</p>
<form method="post"><p class="do"><button>${words.makeCodes}</button></p></form>`,
    }
  },
  forms: { chosen: () => changeCodes },
}

const changeCodes: PageAct<PageCall> = {
  noted: { action: 'recovery_codes.change', subject: ({ caller }) => caller.userId },
  async run({ caller, locale }, box) {
    const { entry: words } = locale.texts.console
    const { passwordHash = null } = (await box.users.credentials(caller.userId)) ?? {}
    const codes = newRecoveryCodes()
    await box.users.keepCredentials(caller.userId, { recoveryHashes: codes.map(recoveryHash) })
    const body = html`${recoveryCodeList(codes, passwordHash === null ? 'passkey' : 'app', words)}<p class="do"><a class="button" href="/me">${words.saved}</a></p>`
    return { answer: { title: words.codesTitle, body } }
  },
}

/** The fields of a form that sets up an authenticator app: its key as a picture, a link and text, and the first code. */
export function authenticatorFields(totp: Uint8Array, email: string, words: EntryWords): Markup {
  const uri = totpUri(totp, { email, issuer: 'Capture' })
  const key = base32(totp)
  return html`<input type="hidden" name="totp" value="${key}">
<p>${words.scan}</p>
${qrPicture(uri, words.picture)}
<p><a href="${uri}">${words.openApp}</a>, ${words.orKey} <code class="wrap">${key.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
<label for="code">${words.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="7">`
}

export type EntryWords = Texts['console']['entry']

/** @param codes in plain text, which only the user keeps @param replaced what they are for when it is lost */
export const recoveryCodeList = (codes: readonly string[], replaced: 'app' | 'passkey', words: EntryWords): Markup =>
  html`<p>${replaced === 'app' ? words.codesForApp : words.codesForPasskey} ${words.shownOnce}</p>
${copyField({ words, id: 'codes', label: words.codes, text: codes.join('\n'), rows: codes.length })}${keepButtons({ words, id: 'codes', file: 'recovery-codes.txt' })}`
