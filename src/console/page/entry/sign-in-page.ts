import type { Locale } from '../../../language/locale.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { passkeyBudget } from '../../access/attempts.ts'
import type { UserCaller } from '../../access/caller.ts'
import type { Arrived } from '../../arrived.ts'
import { doneBy, noted } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { described, type FieldFault, faultLine, focusIf } from '../../look/fields.ts'
import { bareShell } from '../../look/shell.ts'
import { clearedSessionCookie } from '../../session/session.ts'
import { authenticate } from '../../sign-in/authentication.ts'
import { mayHavePasskeys } from '../../sign-in/passkeys.ts'
import { beginSession, browserOf, signInByPassword } from '../../sign-in/sign-in.ts'
import { isUser } from '../page.ts'
import {
  formFields,
  isFromOwnPage,
  messagePage,
  type OpenPage,
  ownPath,
  pageAnswer,
  placeOf,
  scriptAnswer,
  scriptRefusal,
  scriptRequest,
  scriptTooMany,
  seeOther,
  withCookies,
} from '../page-http.ts'
import { localeOfReader, localeOfStranger } from '../page-locale.ts'

export const signInPage: OpenPage = {
  path: '/sign-in',
  async show(asked, box) {
    const to = ownPath(new URL(asked.request.url).searchParams.get('to'))
    return pageAnswer(form(asked, { to, email: '', fault: null, locale: await localeOfReader(asked, box) }))
  },
  async act(asked, box) {
    const { request } = asked
    const locale = localeOfStranger(request)
    if (!isFromOwnPage(request)) return messagePage('crossSite', locale)
    const fields = await formFields(request)
    const given = {
      email: fields.get('email') ?? '',
      password: fields.get('password') ?? '',
      code: fields.get('code') ?? '',
    }
    const to = ownPath(fields.get('to') ?? null)
    const outcome = await signInByPassword(box, { ...given, ...browserOf(asked) })
    if ('signedIn' in outcome) return withCookies(seeOther(to), outcome.cookies)
    if (outcome.refused === 'too_many')
      return messagePage('busy', locale, { headers: { 'retry-after': String(outcome.retryAfterSeconds) } })
    const fault = { field: 'password', message: locale.texts.console.signingIn.wrong }
    return pageAnswer(form(asked, { to, email: given.email, fault, locale }), 403)
  },
}

interface FormContent {
  to: string
  email: string
  /** At the password, whichever of the two was wrong: nobody guesses them one by one. */
  fault: FieldFault | null
  locale: Locale
}

/** Begins with the passkey, which takes one touch. Only the script shows it. */
const form = ({ request, secure }: Arrived, { to, email, fault, locale: { language, texts } }: FormContent): Markup => {
  const { signingIn: words, entry, me } = texts.console
  const passkey = mayHavePasskeys(placeOf(request, secure))
    ? html`<form class="choice" hidden><p class="do"><button type="button" data-passkey="sign-in" aria-describedby="passkey-words" hidden>${me.usePasskey}</button></p>
<p id="passkey-words" class="fault" role="status"></p><h2>${entry.orPassword}</h2></form>`
    : null
  return bareShell({
    title: words.title,
    language,
    body: html`<h1>${words.title}</h1>
${passkey}
<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${to}">
<label for="email">${words.address}</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"${focusIf(email === '')}>
<label for="password">${entry.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password"${fault === null ? focusIf(email !== '') : described('password', fault)}>
<label for="code">${me.confirmCode}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required maxlength="40"${described(fault === null ? 'code' : 'password', fault, 'code-hint code-alone')}>${faultLine('password', fault)}
<p class="hint" id="code-hint">${words.codeHint}</p>
<p class="do"><button>${words.title}</button></p><p class="hint"><span id="code-alone">${words.codeAlone}</span> ${words.cannot}</p>
</form>`,
  })
}

export const passkeySignInOptions: OpenPage = {
  path: '/sign-in/passkey/options',
  async act({ request, address, secure }, { passkeys, budgets, refused }) {
    if ((await scriptRequest(request)) === null) return scriptRefusal(400)
    const retryAfterSeconds = await budgets.take([passkeyBudget('options', address)])
    if (retryAfterSeconds > 0) {
      await refused.note({ kind: 'too_many', endpoint: 'POST /sign-in/passkey/options', address })
      return scriptTooMany(retryAfterSeconds)
    }
    return scriptAnswer(await passkeys.authentication(placeOf(request, secure)))
  },
}

const endpoint = 'POST /sign-in/passkey'

export const passkeySignIn: OpenPage = {
  path: '/sign-in/passkey',
  async act(asked, box) {
    const { request, address, secure } = asked
    const sent = await scriptRequest(request)
    if (sent === null) return scriptRefusal(400)
    const retryAfterSeconds = await box.budgets.take([passkeyBudget('answer', address)])
    if (retryAfterSeconds > 0) {
      await box.refused.note({ kind: 'too_many', endpoint, address })
      return scriptTooMany(retryAfterSeconds)
    }
    const user = await box.passkeys.authenticate(sent.credential, placeOf(request, secure))
    if (user === null) {
      await box.refused.note({ kind: 'wrong_passkey', endpoint, address })
      return scriptRefusal(403)
    }
    const { cookies } = await beginSession(box, user, { ...browserOf(asked), provedBy: 'passkey' })
    return withCookies(scriptAnswer({ to: ownPath(typeof sent.to === 'string' ? sent.to : null) }), cookies)
  },
}

/** Not `"cookies"`: that would sign the user out of every website of the domain, and the box would know the browser no more. */
const ofThisVisit = '"cache", "storage"'

/** Ends the session on the box too, because the cookie may have been copied. */
export const signOutPage: OpenPage = {
  path: '/sign-out',
  async show() {
    return seeOther('/')
  },
  async act({ request, address, secure }, box) {
    if (!isFromOwnPage(request)) return messagePage('crossSite', localeOfStranger(request))
    const found = await authenticate(box, { headers: request.headers, address, secure })
    if ('caller' in found && isUser(found.caller)) await endSession(found.caller, address, box)
    const cleared = clearedSessionCookie({ secure, cookieMark: box.cookieMark })
    return seeOther('/sign-in', { 'set-cookie': cleared, 'clear-site-data': ofThisVisit })
  },
}

async function endSession(caller: UserCaller, address: string, box: ConsoleBox): Promise<void> {
  const by = doneBy({ caller, address })
  const act = { action: 'session.end', accountId: null, subject: caller.sessionId, by } as const
  await noted(act, box, { work: () => box.sessions.end(caller.userId, caller.sessionId), resultOf: () => ({}) })
  box.nextPages.endSession(caller.sessionId)
}
