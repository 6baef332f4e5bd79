import { html, type Markup } from '../../lib/html.ts'
import { doneNote } from '../look/notice.ts'

/** Above a form that has waited for its sender's proof. */
export const sendAgain = doneNote(
  'You have confirmed who you are. Nothing was done yet: look at what you typed, and send it again.',
)

export const option = (value: string, typed: string | undefined): Markup =>
  html`<option value="${value}"${value === typed ? html` selected` : null}>${value}</option>`
