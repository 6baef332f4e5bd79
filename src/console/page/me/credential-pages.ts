import type { Texts } from '../../../language/texts/en.ts'
import { filled } from '../../../language/wording.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { proofBudget } from '../../access/attempts.ts'
import type { ConsoleBox } from '../../console-box.ts'
import {
  copyButton,
  copyField,
  described,
  type FieldFault,
  faultLine,
  focusIf,
  keepButtons,
} from '../../look/fields.ts'
import { qrPicture } from '../../look/qr-picture.ts'
import { backLink } from '../../look/shell.ts'
import type { PageContent } from '../../page-content.ts'
import { newPasswordFault, passwordCharactersMin } from '../../sign-in/password.ts'
import { newRecoveryCodes, recoveryCodesMade, recoveryHash } from '../../sign-in/recovery-codes.ts'
import { base32, base32Bytes, newTotpSecret, totpStep, totpUri } from '../../sign-in/totp.ts'
import { FormRefusal, fieldFault } from '../act-form.ts'
import type { BoxPage, PageAct, PageCall } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { refusedProof, waysOf } from './prove-page.ts'

const backToSignIn = ({ locale }: PageCall): Markup => backLink('/me', locale.texts.console.signIn)

/** `/me/password`: a new password. All other sessions end, in case somebody else knew the old one. */
export const passwordPage: BoxPage = {
  path: '/me/password',
  for: 'signed_in',
  asksAgain: true,
  show: passwordContent,
  forms: { chosen: () => changePassword },
}

const changePassword: PageAct<PageCall> = {
  noted: { action: 'password.change', subject: ({ caller }) => caller.userId },
  async run(call, box) {
    const { caller, fields } = call
    const { me: words, entry } = call.locale.texts.console
    const password = fields.get('password') ?? ''
    const wanted = { password, email: caller.email, words: entry.passwordFaults }
    refuse(await faultOfCurrent(call, box), 'current')
    refuse(password === fields.get('again') ? null : entry.passwordsDiffer, 'again')
    refuse(await newPasswordFault(wanted, box), 'password')
    await box.users.keepCredentials(caller.userId, { passwordHash: await box.passwords.hash(password) })
    await box.sessions.endOthers(caller.userId, caller.sessionId)
    return { answer: seeOther('/me'), notice: words.passwordChanged }
  },
}

/** @throws FormRefusal unless there is no fault */
function refuse(fault: string | null, field: string): void {
  if (fault !== null) throw new FormRefusal(fault, 422, field)
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

async function passwordContent(call: PageCall, box: ConsoleBox): Promise<PageContent> {
  const fault = fieldFault(call)
  const { me: words, entry } = call.locale.texts.console
  const { hasPasskey: mayUsePasskey } = await waysOf(call.caller, box)
  const asks = await asksForCurrent(call, box)
  return {
    title: words.changePassword,
    back: backToSignIn(call),
    body: html`<form class="narrow" method="post">${asks ? currentField(words, { fault, mayUsePasskey }) : null}${newPasswordFields({ password: words.newPasswordField, again: words.repeatNew }, entry, { fault, isFirst: !asks })}
<p>${words.othersEnd}</p>
<p class="do"><button>${words.changeIt}</button></p></form>`,
  }
}

/** @param labels of the two fields */
export const newPasswordFields = (
  labels: { password: string; again: string },
  words: EntryWords,
  { fault, isFirst }: { fault: FieldFault | null; isFirst: boolean },
): Markup => html`<label for="password">${labels.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${passwordCharactersMin}"${focusIf(isFirst && fault === null)}${described('password', fault, 'password-hint')}>
${faultLine('password', fault)}<p class="hint" id="password-hint">${filled(words.passwordHint, { count: passwordCharactersMin })}</p>
<label for="again">${labels.again}</label>
<input id="again" name="again" type="password" autocomplete="new-password" required${described('again', fault)}>${faultLine('again', fault)}`

const currentField = (
  words: Texts['console']['me'],
  { fault, mayUsePasskey }: { fault: FieldFault | null; mayUsePasskey: boolean },
): Markup => html`<label for="current">${words.currentPassword}</label>
<input id="current" name="current" type="password" autocomplete="current-password" required${focusIf(fault === null)}${described('current', fault)}>${faultLine('current', fault)}
${mayUsePasskey ? html`<p class="hint"><a href="/prove?to=/me/password">${words.forgot}</a></p>` : null}`

/** `/me/app`: another authenticator app, for example on a new phone. Codes of the old app stop working, and all other sessions end. */
export const authenticatorPage: BoxPage = {
  path: '/me/app',
  for: 'signed_in',
  asksAgain: true,
  // Once a code was refused, the same key again: the app has it by now.
  show: (call, box) => appContent(call, box, keyIn(call) ?? newTotpSecret()),
  forms: { chosen: () => changeApp },
}

const keyIn = ({ fields }: PageCall): Uint8Array | null => base32Bytes(fields.get('totp') ?? '')

const changeApp: PageAct<PageCall> = {
  noted: { action: 'app.change', subject: ({ caller }) => caller.userId },
  async run(call, box) {
    const { caller, fields } = call
    const totpSecret = keyIn(call)
    const totpLastStep = totpSecret && totpStep(totpSecret, fields.get('code') ?? '', box.clock.now())
    if (totpLastStep === null) throw new FormRefusal(call.locale.texts.console.entry.wrongCode, 422, 'code')
    await box.users.keepCredentials(caller.userId, { totpSecret, totpLastStep })
    await box.sessions.endOthers(caller.userId, caller.sessionId)
    return { answer: seeOther('/me'), notice: call.locale.texts.console.me.appChanged }
  },
}

async function appContent(call: PageCall, { users }: ConsoleBox, totp: Uint8Array): Promise<PageContent> {
  const { caller, locale } = call
  const { me: words, entry } = locale.texts.console
  const { totpSecret = null } = (await users.credentials(caller.userId)) ?? {}
  return {
    title: words.newApp,
    back: backToSignIn(call),
    body: html`<form class="narrow" method="post">${authenticatorFields(totp, caller.email, { words: entry, fault: fieldFault(call) })}
<p>${totpSecret === null ? words.othersEnd : words.appEnds}</p>
<p class="do"><button>${words.useApp}</button></p></form>`,
  }
}

/** `/me/recovery-codes`: new codes that replace the remaining ones. */
export const recoveryCodesPage: BoxPage = {
  path: '/me/recovery-codes',
  for: 'signed_in',
  asksAgain: true,
  async show(call, { users }) {
    const { me: words, entry } = call.locale.texts.console
    const { recoveryHashes = [], passwordHash = null } = (await users.credentials(call.caller.userId)) ?? {}
    return {
      title: entry.codes,
      back: backToSignIn(call),
      body: html`<p><strong>${filled(words.codesLeft, { count: recoveryHashes.length, made: recoveryCodesMade })}</strong> ${passwordHash === null ? entry.codesForPasskey : entry.codesForApp}</p>
<p>${words.codesEnd}</p><form method="post"><p class="do"><button class="second">${words.makeCodes}</button></p></form>`,
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
export function authenticatorFields(
  totp: Uint8Array,
  email: string,
  { words, fault }: { words: EntryWords; fault: FieldFault | null },
): Markup {
  const uri = totpUri(totp, { email, issuer: 'Capture' })
  const key = base32(totp)
  return html`<input type="hidden" name="totp" value="${key}">
<p>${words.scan}</p><div class="app-key"><p><a class="button" href="${uri}">${words.openApp}</a></p>
<details><summary>${words.scanElsewhere}</summary>${qrPicture(uri, words.picture)}</details></div>
<p>${words.orKey} ${copyButton('app-key', words.orKey, words)} <code class="wrap" id="app-key">${key.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
<label for="code">${words.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="7"${described('code', fault)}>${faultLine('code', fault)}`
}

export type EntryWords = Texts['console']['entry']

/** @param codes in plain text, which only the user keeps @param replaced what they are for when it is lost */
export const recoveryCodeList = (codes: readonly string[], replaced: 'app' | 'passkey', words: EntryWords): Markup =>
  html`<p>${replaced === 'app' ? words.codesForApp : words.codesForPasskey} ${words.shownOnce}</p>
${copyField({ words, id: 'codes', label: words.codes, text: codes.join('\n'), rows: codes.length })}${keepButtons({ words, id: 'codes', file: 'recovery-codes.txt' })}`
