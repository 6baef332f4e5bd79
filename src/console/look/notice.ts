import { html, type Markup } from '../../lib/html.ts'

/** Moves the focus here when the page opens: screen readers read it out, and the keyboard goes on from here. */
const focused = html` tabindex="-1" autofocus`

/** What an act did. */
export const doneNote = (content: Markup | string): Markup =>
  html`<div class="note" role="status"${focused}>${typeof content === 'string' ? html`<p>${content}</p>` : content}</div>`

export const faultLine = (fault: Markup | string | null): Markup | null =>
  fault === null ? null : html`<p class="fault" role="alert"${focused}>${fault}</p>`

/** `doubtful`: needs attention. */
export type MarkTone = 'plain' | 'good' | 'doubtful' | 'bad'

/** A word or two about a state. The words alone are enough without the colour. */
export const mark = (text: string, tone: MarkTone = 'plain'): Markup => html`<span class="mark ${tone}">${text}</span>`
