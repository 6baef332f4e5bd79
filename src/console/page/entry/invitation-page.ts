import type { StoredAccount } from '../../../account/account.ts'
import { english, Locale } from '../../../language/locale.ts'
import { filled } from '../../../language/wording.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { newId } from '../../../lib/id.ts'
import { accountNames } from '../../../operations/account/account-names.ts'
import { passkeyBudget } from '../../access/attempts.ts'
import type { Arrived } from '../../arrived.ts'
import { note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { FieldFault } from '../../look/fields.ts'
import { faultNote } from '../../look/notice.ts'
import { bareShell } from '../../look/shell.ts'
import { type CookiePlace, cookieValue, hostCookieName, setCookie } from '../../session/session.ts'
import { mayHavePasskeys } from '../../sign-in/passkeys.ts'
import { newPasswordFault } from '../../sign-in/password.ts'
import { newRecoveryCodes, recoveryHash } from '../../sign-in/recovery-codes.ts'
import { beginSession, browserOf } from '../../sign-in/sign-in.ts'
import { base32Bytes, newTotpSecret, totpStep } from '../../sign-in/totp.ts'
import {
  type Accepting,
  type InvitationState,
  type Invited,
  invitationHash,
  invitationSecretPattern,
  invitedText,
  type OpenInvitation,
  type User,
} from '../../user/user.ts'
import { accessGiven } from '../../user/user-acts.ts'
import { authenticatorFields, type EntryWords, newPasswordFields, recoveryCodeList } from '../me/credential-pages.ts'
import {
  formFields,
  isFromElsewhere,
  isFromOwnPage,
  messagePage,
  type OpenPage,
  pageAnswer,
  placeOf,
  scriptAnswer,
  scriptRefusal,
  scriptRequest,
  scriptTooMany,
  seeOther,
  signedInUser,
  withCookies,
} from '../page-http.ts'
import { localeOfReader, localeOfStranger } from '../page-locale.ts'

/**
 * `/invitation/SECRET`, the link that was sent. A browser gets its secret as a cookie and goes on to `/invitation`, so that the secret
 * stays out of its history and of everybody's sight; a client that does not navigate gets the form at once.
 */
export const invitationLinkPage: OpenPage = {
  path: '/invitation/:secret',
  async show(asked, box) {
    const { request, params } = asked
    if (request.headers.get('sec-fetch-mode') !== 'navigate') return showForm(asked, box)
    if ((await openInvitation(asked, box)) === null) return gone(asked, box)
    const cookie = invitationCookie(params.secret ?? '', cookiePlaceOf(asked, box), fillingSeconds)
    return seeOther('/invitation', { 'set-cookie': cookie })
  },
  act: acceptForm,
}

/**
 * `/invitation`: makes a passkey, or sets a password and an authenticator app, and signs in. Existing users keep theirs, and must have
 * signed in.
 */
export const invitationPage: OpenPage = { path: '/invitation', show: showForm, act: acceptForm }

export const invitationPasskeyOptions: OpenPage = {
  path: '/invitation/passkey/options',
  async act(asked, box) {
    const { request, address, secure } = asked
    const invitation = (await scriptRequest(request)) && (await openInvitation(asked, box))
    if (invitation === null || (await knownUser(invitation, box)) !== null) return scriptRefusal(403)
    const retryAfterSeconds = await box.budgets.take([passkeyBudget('options', address)])
    if (retryAfterSeconds > 0) return scriptTooMany(retryAfterSeconds)
    const holder = { id: invitationHash(secretOf(asked, box)), email: invitation.email }
    return scriptAnswer(await box.passkeys.registration(holder, placeOf(request, secure)))
  },
}

/** How long somebody may take to fill in the form; the link opens it again. */
const fillingSeconds = 3600

const cookiePlaceOf = ({ secure }: Arrived, { cookieMark }: ConsoleBox): CookiePlace => ({ secure, cookieMark })

const cookieName = (place: CookiePlace): string => hostCookieName('invitation', place)

/** `Lax`: the link is in a mail, and a `Strict` cookie would not come along from there. */
const invitationCookie = (secret: string, place: CookiePlace, maxAgeSeconds: number): string =>
  setCookie(cookieName(place), secret, { maxAgeSeconds, secure: place.secure, sameSite: 'Lax' })

const secretOf = (asked: Arrived, box: ConsoleBox): string =>
  asked.params.secret ??
  cookieValue(asked.request.headers.get('cookie'), cookieName(cookiePlaceOf(asked, box)), invitationSecretPattern) ??
  ''

async function showForm(asked: Arrived, box: ConsoleBox): Promise<Response> {
  const invitation = await openInvitation(asked, box)
  if (invitation === null) return gone(asked, box)
  const known = await knownUser(invitation, box)
  const reader = await readerOf(invitation, box)
  if (known === null) return pageAnswer(form(asked, { invitation, reader, totp: newTotpSecret(), fault: null }))
  if (await isSignedIn(known, asked, box)) return pageAnswer(formOfKnown(invitation, reader))
  if (isFromElsewhere(asked.request)) return messagePage('onceMore', reader.locale, { headers: { refresh: '0' } })
  return pageAnswer(signInFirst(invitation, reader))
}

const gone = async (asked: Arrived, box: ConsoleBox): Promise<Response> =>
  messagePage('gone', await localeOfReader(asked, box))

async function acceptForm(asked: Arrived, box: ConsoleBox): Promise<Response> {
  if (!isFromOwnPage(asked.request)) return messagePage('crossSite', localeOfStranger(asked.request))
  const invitation = await openInvitation(asked, box)
  if (invitation === null) return gone(asked, box)
  const known = await knownUser(invitation, box)
  const answer =
    known === null ? await acceptNew(asked, invitation, box) : await acceptKnown(asked, { box, invitation, known })
  return asked.params.secret === undefined && answer.status < 400
    ? withCookies(answer, [invitationCookie('', cookiePlaceOf(asked, box), 0)])
    : answer
}

async function openInvitation(asked: Arrived, box: ConsoleBox): Promise<OpenInvitation | null> {
  const found = await invitationState(asked, box)
  return found.state === 'open' ? found.invitation : null
}

const invitationState = (asked: Arrived, box: ConsoleBox): Promise<InvitationState> =>
  box.users.invitation(invitationHash(secretOf(asked, box)), box.clock.now())

/** The user whom the invitation gives more access; `null`: it makes one. */
const knownUser = ({ email }: OpenInvitation, { users }: ConsoleBox): Promise<User | null> => users.findByEmail(email)

const isSignedIn = async ({ id }: User, asked: Arrived, box: ConsoleBox): Promise<boolean> =>
  (await signedInUser(asked, box))?.userId === id

async function acceptNew(asked: Arrived, invitation: OpenInvitation, box: ConsoleBox): Promise<Response> {
  const fields = await formFields(asked.request)
  const reader = await readerOf(invitation, box)
  const { locale } = reader
  const totp = base32Bytes(fields.get('totp') ?? '') ?? newTotpSecret()
  const chosen = fields.has('credential')
    ? await chosenPasskey(asked, invitation, { fields, box, locale })
    : await chosenPassword(fields, { email: invitation.email, totp, box, locale })
  if (chosen.field !== undefined) return pageAnswer(form(asked, { invitation, reader, totp, fault: chosen }), 422)
  const codes = newRecoveryCodes()
  const credentials = { ...chosen, recoveryHashes: codes.map(recoveryHash) }
  const user = await accept(asked, { box, invited: invitation.invited, userId: newId(), credentials })
  if (user instanceof Response) return user
  const provedBy = 'passkeys' in chosen ? 'passkey' : 'password'
  const { cookies } = await beginSession(box, user, { ...browserOf(asked), provedBy })
  return withCookies(pageAnswer(recoveryCodes(codes, provedBy === 'passkey' ? 'passkey' : 'app', locale)), cookies)
}

/** Password and app, or why one of them is not acceptable. */
async function chosenPassword(
  fields: ReadonlyMap<string, string>,
  { email, totp, box, locale }: { email: string; totp: Uint8Array; box: ConsoleBox; locale: Locale },
) {
  const { entry: words } = locale.texts.console
  const password = fields.get('password') ?? ''
  if (password !== fields.get('again')) return { field: 'again', message: words.passwordsDiffer }
  const fault = await newPasswordFault({ password, email, words: words.passwordFaults }, box)
  if (fault !== null) return { field: 'password', message: fault }
  // Spends the code that was just typed.
  const totpLastStep = totpStep(totp, fields.get('code') ?? '', box.clock.now())
  if (totpLastStep === null) return { field: 'code', message: words.wrongCode }
  return { passwordHash: await box.passwords.hash(password), totpSecret: totp, totpLastStep }
}

/** The passkey that the browser has just made, or why it is not acceptable. */
async function chosenPasskey(
  asked: Arrived,
  { email }: OpenInvitation,
  { fields, box, locale }: { fields: ReadonlyMap<string, string>; box: ConsoleBox; locale: Locale },
) {
  const holder = { id: invitationHash(secretOf(asked, box)), email }
  const place = { ...placeOf(asked.request, asked.secure), name: '' }
  const passkey = await box.passkeys.made(holder, jsonIn(fields.get('credential')), place)
  return passkey === null
    ? { field: 'credential', message: locale.texts.console.entry.wrongPasskey }
    : { passkeys: [passkey] }
}

function jsonIn(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The user themselves: the link alone, in other hands, would change what they may do. */
async function acceptKnown(
  asked: Arrived,
  { box, invitation, known }: { box: ConsoleBox; invitation: OpenInvitation; known: User },
): Promise<Response> {
  if (!(await isSignedIn(known, asked, box)))
    return pageAnswer(signInFirst(invitation, await readerOf(invitation, box)), 403)
  const user = await accept(asked, { box, invited: invitation.invited, userId: known.id })
  return user instanceof Response ? user : seeOther('/')
}

interface Acceptance extends Omit<Accepting, 'now'> {
  box: ConsoleBox
  invited: Invited
}

/** @returns a page that says why not, or the user */
async function accept(asked: Arrived, { box, invited, ...by }: Acceptance): Promise<User | Response> {
  const user = await box.users.accept(invitationHash(secretOf(asked, box)), { now: box.clock.now(), ...by })
  if (user === null) return gone(asked, box)
  if (user === 'last_admin') return messagePage('lastAdmin', await localeOfReader(asked, box))
  await noteAcceptance(user, { box, invited, address: asked.address })
  return user
}

async function noteAcceptance(
  { id, email }: User,
  { box, invited, address }: Pick<Acceptance, 'box' | 'invited'> & { address: string },
): Promise<void> {
  const by = { actor: { kind: 'user', id, label: email }, address } as const
  const accountId = invited.isOwner ? null : invited.accountId
  const change = accessGiven(invited)
  await note({ action: 'invitation.accept', accountId, subject: id, by }, box, { outcome: 'done', change })
}

interface FormContent {
  invitation: OpenInvitation
  reader: Reader
  totp: Uint8Array
  fault: FieldFault | null
}

const form = ({ request, secure }: Arrived, { invitation: { email }, reader, totp, fault }: FormContent): Markup => {
  const { entry: words, me } = reader.locale.texts.console
  const passkeyFirst = mayHavePasskeys(placeOf(request, secure)) ? passkeyForm(words) : null
  return welcome(reader, {
    email,
    access: filled(words.access, { access: reader.access }),
    next: html`${fault?.field === 'credential' ? faultNote(fault.message) : null}${passkeyFirst}
<form method="post"><input type="hidden" name="username" autocomplete="username" value="${email}">
<ol class="steps"><li><h2>${words.password}</h2>${newPasswordFields({ password: me.newPasswordField, again: words.repeat }, words, { fault, isFirst: passkeyFirst === null })}</li>
<li><h2>${words.app}</h2>${authenticatorFields(totp, email, { words, fault })}</li></ol><p class="do"><button>${words.setPassword}</button></p></form>`,
  })
}

interface Reader {
  /** What the invitation is to; `null`: the box. */
  account: StoredAccount | null
  /** Of the account for its customers; English for everybody else. */
  locale: Locale
  /** What they are given, in words. */
  access: string
  /** The address of who invites; `null`: no user. */
  by: string | null
}

async function readerOf(
  { invited, makerUserId }: OpenInvitation,
  { accounts, users }: Pick<ConsoleBox, 'accounts' | 'users'>,
): Promise<Reader> {
  const { handleById, nameById } = accountNames(await accounts.list())
  const maker = makerUserId === null ? null : await users.find(makerUserId)
  const known = { access: invitedText(invited, nameById), by: maker?.email ?? null }
  if (invited.isOwner) return { ...known, account: null, locale: english }
  const account = await accounts.find(handleById(invited.accountId) ?? '')
  if (invited.role !== 'client' || account === null) return { ...known, account, locale: english }
  // A customer knows their own name, and no role.
  const { name, language } = account.settings
  return { ...known, access: name, account, locale: new Locale(language ?? 'en') }
}

/** The script shows it, and sends the passkey with it. */
const passkeyForm = (
  words: EntryWords,
): Markup => html`<form method="post" class="choice" hidden><h2>${words.passkey}</h2>
<p>${words.passkeyText}</p><input type="hidden" name="credential">
<p class="do"><button type="button" data-passkey="invitation" aria-describedby="passkey-words" hidden>${words.createPasskey}</button></p>
<p id="passkey-words" class="fault" role="status"></p><h2>${words.orPassword}</h2></form>`

/** Names the access, which may be less than the user has. */
function formOfKnown({ email }: OpenInvitation, reader: Reader): Markup {
  const { entry: words } = reader.locale.texts.console
  return welcome(reader, {
    email,
    access: filled(words.newAccess, { access: reader.access }),
    next: html`<form method="post"><p class="do"><button>${words.accept}</button></p></form>`,
  })
}

const signInFirst = ({ email }: OpenInvitation, reader: Reader): Markup => {
  const { entry: words, signingIn } = reader.locale.texts.console
  return welcome(reader, {
    email,
    access: filled(words.signInFirst, { email }),
    next: html`<p class="do"><a class="button" href="/sign-in?to=/invitation">${signingIn.title}</a></p>`,
  })
}

/** @param access what they get, or have to do for it */
function welcome(
  { account, by, locale: { language, texts } }: Reader,
  { email, access, next }: { email: string; access: string; next: Markup },
): Markup {
  const { title, invited, invitedBy } = texts.console.entry
  const [before = '', after = ''] = invited.split('{email}')
  return bareShell({
    title,
    language,
    of: account ?? undefined,
    body: html`<h1>${title}</h1><p>${before}<strong>${email}</strong>${after} ${access}${by === null ? null : html` ${filled(invitedBy, { by })}`}</p>
${next}`,
  })
}

function recoveryCodes(codes: readonly string[], replaced: 'app' | 'passkey', { language, texts }: Locale): Markup {
  const { entry: words } = texts.console
  return bareShell({
    title: words.codes,
    language,
    body: html`<h1>${words.codesTitle}</h1>
${recoveryCodeList(codes, replaced, words)}<p class="do"><a class="button" href="/">${words.saved}</a></p>`,
  })
}
