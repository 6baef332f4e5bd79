import { html, type Markup } from '../../../lib/html.ts'
import { bareShell } from '../../look/shell.ts'
import { browserOf, signInByPassword } from '../../sign-in/sign-in.ts'
import { formFields } from '../form-fields.ts'
import { messagePage } from '../message-page.ts'
import { ownPath, pageAnswer, seeOther, withCookies } from '../page-answer.ts'
import { isFromOwnPage, type OpenPage } from './open-page.ts'

/** `/sign-in?to=PATH` */
export const signInPage: OpenPage = {
  path: '/sign-in',
  async show({ request }) {
    return pageAnswer(form({ to: ownPath(new URL(request.url).searchParams.get('to')), email: '', fault: null }))
  },
  async act(asked, box) {
    const { request } = asked
    if (!isFromOwnPage(request)) return messagePage('crossSite')
    const fields = await formFields(request)
    const given = {
      email: fields.get('email') ?? '',
      password: fields.get('password') ?? '',
      code: fields.get('code') ?? '',
    }
    const to = ownPath(fields.get('to') ?? null)
    const outcome = await signInByPassword(box, { ...given, ...browserOf(asked) })
    if ('signedIn' in outcome) return withCookies(seeOther(to), outcome.cookies)
    if (outcome.refused === 'too_many') return messagePage('busy', { 'retry-after': String(outcome.retryAfterSeconds) })
    return pageAnswer(
      form({ to, email: given.email, fault: 'Address, password or code is wrong. Each code works once.' }),
      403,
    )
  },
}

const form = ({ to, email, fault }: { to: string; email: string; fault: string | null }): Markup =>
  bareShell({
    title: 'Sign in',
    body: html`<h1>Sign in to Capture</h1>
${fault === null ? null : html`<p class="fault" role="alert" id="refused">${fault}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${to}">
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"${focusIf(email === '')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"${focusIf(email !== '')}${fault === null ? null : html` aria-describedby="refused"`}>
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required maxlength="40">
<p class="hint">The six digits that your authenticator app shows, or a recovery code. Who has no password leaves it empty, and types a recovery code.</p>
<p class="do"><button>Sign in</button> <button type="button" class="quiet" data-passkey="sign-in" aria-describedby="passkey-words" hidden>Use a passkey</button></p>
<p id="passkey-words" class="fault" role="status"></p>
</form>`,
  })

const focusIf = (isNext: boolean): Markup | null => (isNext ? html` autofocus` : null)
