import { html } from '../../lib/html.ts'
import { bareShell } from '../look/shell.ts'
import { pageAnswer } from './page-answer.ts'

const messages = {
  nothingHere: [404, 'Nothing here', 'This page does not exist, or you have no access to it.'],
  notAllowed: [403, 'Not for your role', 'If you need this, ask an admin of the account.'],
  crossSite: [403, 'Not from here', 'Another website sent this form. Open the console yourself and try again.'],
  failed: [
    500,
    'That failed',
    'The console could not answer. Try again. If it fails again, ask an owner of the box to look at Health. If that page fails too, run capture doctor on the box.',
  ],
  busy: [429, 'Too many tries', 'Wait a few minutes, then try again. A passkey works meanwhile.'],
  gone: [
    410,
    'This link no longer works',
    'An invitation works once, within 24 hours, while its account exists. Ask for a new one.',
  ],
  noReport: [
    404,
    'This link shows nothing',
    'It has expired, was revoked, or is incomplete. Ask the sender for a new one.',
  ],
  tooLarge: [413, 'Too large', 'This page does not accept that much. Go back and send less.'],
  onlyHttps: [403, 'Only over https', 'At this name, the console answers over https only.'],
  onceMore: [200, 'One moment', 'Opening the console …'],
} as const

/** A page with a single message. */
export function messagePage(name: keyof typeof messages, headers: Record<string, string> = {}): Response {
  const [status, title, text] = messages[name]
  const body = html`<h1>${title}</h1><p>${text}</p>${name === 'noReport' ? null : html`<p><a href="/">To the console</a></p>`}`
  return pageAnswer(bareShell({ title, body }), status, headers)
}
