import { html, type Markup } from '../../../lib/html.ts'
import { newId } from '../../../lib/id.ts'
import type { Arrived } from '../../arrived.ts'
import { userInvited } from '../../audit/changes.ts'
import { note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { faultLine } from '../../look/fault.ts'
import { bareShell } from '../../look/shell.ts'
import { cookieValue, hostCookieName, setCookie } from '../../session/cookie.ts'
import { newPasswordFault, passwordCharactersMin } from '../../sign-in/password.ts'
import { newRecoveryCodes, recoveryHashes } from '../../sign-in/recovery-codes.ts'
import { beginSession, browserOf } from '../../sign-in/sign-in.ts'
import { base32Bytes, newTotpSecret, totpStep } from '../../sign-in/totp.ts'
import { invitationHash, invitationSecretPattern } from '../../user/invite.ts'
import type { Invitation, Invited, User } from '../../user/user.ts'
import { authenticatorFields, recoveryCodeList, wrongFirstCode } from '../authenticator.ts'
import { formFields } from '../form-fields.ts'
import { messagePage } from '../message-page.ts'
import { pageAnswer, seeOther, withCookies } from '../page-answer.ts'
import { isFromOwnPage, type OpenPage } from './open-page.ts'

/**
 * `/invitation/SECRET`, the link that was sent. A browser gets its secret as a cookie and goes on to `/invitation`, so that the secret
 * stays out of its history and of everybody's sight; a client that does not navigate gets the form at once.
 */
export const invitationLinkPage: OpenPage = {
  path: '/invitation/:secret',
  async show(asked, box) {
    const { request, params, secure } = asked
    if (request.headers.get('sec-fetch-mode') !== 'navigate') return showForm(asked, box)
    if ((await openInvitation(asked, box)) === null) return messagePage('gone')
    return seeOther('/invitation', { 'set-cookie': invitationCookie(params.secret ?? '', secure, fillingSeconds) })
  },
  act: acceptForm,
}

/** `/invitation`: sets a password and an authenticator app, and signs in. */
export const invitationPage: OpenPage = { path: '/invitation', show: showForm, act: acceptForm }

/** How long somebody may take to fill in the form; the link opens it again. */
const fillingSeconds = 3600

const cookieName = (secure: boolean): string => hostCookieName('invitation', secure)

/** `Lax`: the link is in a mail, and a `Strict` cookie would not come along from there. */
const invitationCookie = (secret: string, secure: boolean, maxAgeSeconds: number): string =>
  setCookie(cookieName(secure), secret, { maxAgeSeconds, secure, sameSite: 'Lax' })

const secretOf = ({ request, params, secure }: Arrived): string =>
  params.secret ?? cookieValue(request.headers.get('cookie'), cookieName(secure), invitationSecretPattern) ?? ''

async function showForm(asked: Arrived, box: ConsoleBox): Promise<Response> {
  const invitation = await openInvitation(asked, box)
  if (invitation === null) return messagePage('gone')
  return pageAnswer(form({ invitation, totp: newTotpSecret(), fault: null, isKnown: await isKnown(invitation, box) }))
}

async function acceptForm(asked: Arrived, box: ConsoleBox): Promise<Response> {
  if (!isFromOwnPage(asked.request)) return messagePage('crossSite')
  const invitation = await openInvitation(asked, box)
  if (invitation === null) return messagePage('gone')
  const fields = await formFields(asked.request)
  const totp = base32Bytes(fields.get('totp') ?? '') ?? newTotpSecret()
  const known = await isKnown(invitation, box)
  const fault = known ? null : await faultOf(fields, { email: invitation.email, totp, box })
  if (fault !== null) return pageAnswer(form({ invitation, totp, fault, isKnown: known }), 422)
  const codeStep = totpStep(totp, fields.get('code') ?? '', box.clock.now()) ?? 0
  const password = known ? null : (fields.get('password') ?? '')
  const answer = await accept(asked, { box, invited: invitation.invited, password, totp, codeStep })
  return asked.params.secret === undefined ? withCookies(answer, [invitationCookie('', asked.secure, 0)]) : answer
}

async function openInvitation(asked: Arrived, { users, clock }: ConsoleBox): Promise<Invitation | null> {
  const found = await users.invitation(invitationHash(secretOf(asked)), clock.now())
  return found.state === 'open' ? found.invitation : null
}

/** Existing users keep their password and app, and only get access to one more account. */
async function isKnown({ email }: Invitation, { users }: ConsoleBox): Promise<boolean> {
  const user = await users.findByEmail(email)
  const credentials = user && (await users.credentials(user.id))
  return credentials !== null && (credentials.passwordHash !== null || credentials.passkeys.length > 0)
}

async function faultOf(
  fields: ReadonlyMap<string, string>,
  { email, totp, box }: { email: string; totp: Uint8Array; box: ConsoleBox },
): Promise<string | null> {
  const password = fields.get('password') ?? ''
  if (password !== fields.get('again')) return 'The two passwords differ.'
  const fault = await newPasswordFault(password, email, box)
  if (fault !== null) return fault
  return totpStep(totp, fields.get('code') ?? '', box.clock.now()) === null ? wrongFirstCode : null
}

interface Acceptance {
  box: ConsoleBox
  invited: Invited
  /** `null`: an existing user. */
  password: string | null
  totp: Uint8Array
  /** Of the code that confirmed the app. */
  codeStep: number
}

async function accept(asked: Arrived, { box, invited, password, totp, codeStep }: Acceptance): Promise<Response> {
  const passwordHash = password === null ? null : await box.passwords.hash(password)
  const codes = password === null ? [] : newRecoveryCodes()
  const hashes = await recoveryHashes(codes, box.passwords)
  const now = box.clock.now()
  const user = await box.users.accept(invitationHash(secretOf(asked)), { now, userId: newId() })
  if (user === null) return messagePage('gone')
  await noteAcceptance(user, { box, invited, address: asked.address })
  if (passwordHash === null)
    return pageAnswer(
      bareShell({
        title: 'Done',
        body: html`<h1>Done</h1><p>Sign in with the password that you have.</p><p><a href="/">To the console</a></p>`,
      }),
    )
  await box.users.keepCredentials(user.id, {
    passwordHash,
    totpSecret: totp,
    // Spends the code that was just typed.
    totpLastStep: codeStep,
    recoveryHashes: hashes,
  })
  const { cookies } = await beginSession(box, user, { ...browserOf(asked), provedBy: 'password' })
  return withCookies(pageAnswer(recoveryCodes(codes)), cookies)
}

async function noteAcceptance(
  { id, email }: User,
  { box, invited, address }: Pick<Acceptance, 'box' | 'invited'> & { address: string },
): Promise<void> {
  const by = { actor: { kind: 'user', id, label: email }, address } as const
  const accountId = invited.isOwner ? null : invited.accountId
  const change = userInvited(invited)
  await note({ action: 'invitation.accept', accountId, subject: id, by }, box, { outcome: 'done', change })
}

interface FormContent {
  invitation: Invitation
  totp: Uint8Array
  fault: string | null
  isKnown: boolean
}

function form({ invitation, totp, fault, isKnown }: FormContent): Markup {
  const { email } = invitation
  const fields = isKnown
    ? html`<p>You have signed in here before: your password stays the same.</p>`
    : newCredentials(email, totp)
  return bareShell({
    title: 'Welcome',
    body: html`<h1>Welcome to Capture</h1><p>You were invited as <strong>${email}</strong>.</p>
${faultLine(fault)}
<form method="post"><input type="hidden" name="username" autocomplete="username" value="${email}">
${fields}<p class="do"><button>Accept</button></p></form>`,
  })
}

const newCredentials = (email: string, totp: Uint8Array): Markup => html`<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${passwordCharactersMin}">
<p class="hint">At least ${passwordCharactersMin} characters. Four random words make a good password.</p>
<label for="again">Repeat the password</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<h2>Authenticator app</h2>${authenticatorFields(totp, email)}`

const recoveryCodes = (codes: readonly string[]): Markup =>
  bareShell({
    title: 'Recovery codes',
    body: html`<h1>Keep these codes</h1>
${recoveryCodeList(codes)}<p class="do"><a class="button" href="/">I have saved them</a></p>`,
  })
