import { html, type Markup } from '../../../lib/html.ts'
import { newId } from '../../../lib/id.ts'
import type { Arrived } from '../../arrived.ts'
import { userInvited } from '../../audit/changes.ts'
import { note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { faultLine } from '../../look/fault.ts'
import { bareShell } from '../../look/shell.ts'
import { newPasswordFault, passwordCharactersMin } from '../../sign-in/password.ts'
import { newRecoveryCodes, recoveryHashes } from '../../sign-in/recovery-codes.ts'
import { beginSession, browserOf } from '../../sign-in/sign-in.ts'
import { base32Bytes, newTotpSecret, totpStep } from '../../sign-in/totp.ts'
import { invitationHash } from '../../user/invite.ts'
import type { Invitation, Invited, User } from '../../user/user.ts'
import { authenticatorFields, recoveryCodeList, wrongFirstCode } from '../authenticator.ts'
import { formFields } from '../form-fields.ts'
import { messagePage } from '../message-page.ts'
import { pageAnswer, withCookies } from '../page-answer.ts'
import { isFromOwnPage, type OpenPage } from './open-page.ts'

/** `/invitation/SECRET`: sets a password and an authenticator app, and signs in. */
export const invitationPage: OpenPage = {
  path: '/invitation/:secret',
  async show(asked, box) {
    const invitation = await openInvitation(asked, box)
    if (invitation === null) return messagePage('gone')
    return pageAnswer(form({ invitation, totp: newTotpSecret(), fault: null, isKnown: await isKnown(invitation, box) }))
  },
  async act(asked, box) {
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
    return accept(asked, { box, invited: invitation.invited, password, totp, codeStep })
  },
}

async function openInvitation({ params }: Arrived, { users, clock }: ConsoleBox): Promise<Invitation | null> {
  const found = await users.invitation(invitationHash(params.secret ?? ''), clock.now())
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
  const { params, address } = asked
  const passwordHash = password === null ? null : await box.passwords.hash(password)
  const codes = password === null ? [] : newRecoveryCodes()
  const hashes = await recoveryHashes(codes, box.passwords)
  const now = box.clock.now()
  const user = await box.users.accept(invitationHash(params.secret ?? ''), { now, userId: newId() })
  if (user === null) return messagePage('gone')
  await noteAcceptance(user, { box, invited, address })
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
