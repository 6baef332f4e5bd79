import { html, type Markup } from '../../../lib/html.ts'
import { qrPicture } from '../../look/qr-picture.ts'
import { base32, totpUri } from '../../sign-in/totp.ts'

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
<pre class="card">${codes.join('\n')}</pre>`

const uses = {
  app: 'Each code signs you in once without the app.',
  passkey: 'Each code signs you in once without the passkey: type your address and the code, and no password.',
}
