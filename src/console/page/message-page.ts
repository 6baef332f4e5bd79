import { html } from '../../lib/html.ts'
import { bareShell } from '../look/shell.ts'
import { pageAnswer } from './page-answer.ts'

const messages = {
  nothingHere: [404, 'Nothing here', 'There is no such page, or you have no part in it.'],
  notAllowed: [403, 'Not for your role', 'Ask an administrator of the account if you need this.'],
  crossSite: [403, 'Not from here', 'This form was sent by another website. Open the console yourself and try again.'],
  failed: [
    500,
    'That failed',
    'The console could not answer. Try again; if it goes on, run capture doctor on the box.',
  ],
  busy: [429, 'Too many tries', 'Wait for some minutes, then try again.'],
  gone: [410, 'This link is used up', 'Each invitation works once, for 24 hours. Ask for a new one.'],
  noReport: [
    404,
    'This link shows nothing',
    'It has expired, was taken back, or is incomplete. Ask whoever sent it for a new one.',
  ],
  tooLarge: [413, 'Too much at once', 'What you sent is larger than this page takes. Go back and send less.'],
  onlyHttps: [403, 'Only over https', 'The console answers on its name over https alone.'],
  onceMore: [200, 'One moment', 'Opening the console …'],
} as const

/** A page that says one thing. */
export function messagePage(name: keyof typeof messages, headers: Record<string, string> = {}): Response {
  const [status, title, text] = messages[name]
  const body = html`<h1>${title}</h1><p>${text}</p>${name === 'noReport' ? null : html`<p><a href="/">To the console</a></p>`}`
  return pageAnswer(bareShell({ title, body }), status, headers)
}
