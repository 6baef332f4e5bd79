import { html, type Markup } from '../../lib/html.ts'
import { withoutRepair } from '../../operations/database/storage-fault.ts'
import type { PageNotice } from '../session/next-page.ts'
import { withBoxTimes } from './time-text.ts'

/** `doubtful`: needs attention. */
export type MarkTone = 'plain' | 'good' | 'doubtful' | 'bad'

/** What a page says in a frame of its own, in the colour and with the sign of its tone. */
export const notice = (tone: MarkTone, content: Markup | string, role?: 'status' | 'alert'): Markup =>
  framed(tone, content, role === undefined ? null : html` role="${role}"`)

/** Says what was just done. */
export const doneNote = (content: Markup | string, tone: MarkTone = 'good'): Markup =>
  framed(tone, content, html` role="status"${focused}`)

/** Says what has just failed, and why. */
export const faultNote = (content: Markup | string | null, more: Markup | null = null): Markup | null =>
  content === null ? null : framed('bad', html`<p>${content}</p>${more}`, html` role="alert"${focused}`)

const framed = (tone: MarkTone, content: Markup | string, attributes: Markup | null): Markup =>
  html`<div class="note ${tone}"${attributes}>${typeof content === 'string' ? html`<p>${content}</p>` : content}</div>`

/** Moves the focus here when the page opens: screen readers read it out, and the keyboard goes on from here. */
const focused = html` tabindex="-1" autofocus`

/** The sentence of an act, with the way back where there is one. */
export const noticeNote = ({ text, tone, undo }: PageNotice): Markup =>
  undo === undefined
    ? doneNote(text, tone)
    : doneNote(
        html`<p>${text}</p><form class="undo" method="post" action="${undo.path}" data-act>${Object.entries(undo.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="quiet">Undo</button></form>`,
      )

/** Instead of a list without items: what will stand here, and the way there. */
export const emptyState = (title: string, text: Markup | string, way: Markup | null = null): Markup =>
  html`<section class="empty"><h2>${title}</h2><p>${text}</p>${way}</section>`

interface Asking {
  /** Cannot be taken back. */
  isEnd?: boolean
  isOpen?: boolean
}

/** A word that opens the form of an act and, once it is open, closes it. One of a page is open. @param of for screen readers */
export const asking = (
  word: string,
  of: string,
  form: Markup,
  { isEnd = false, isOpen = false }: Asking = {},
): Markup =>
  html`<details class="ask" name="ask"${isOpen ? html` open` : null}><summary${isEnd ? html` class="ends"` : null}><span>${word}<span class="unseen"> ${of}</span></span> <span class="back-out">Cancel</span></summary>${form}</details>`

/** An act that cannot be taken back: its button stands behind the word, with what follows from it. */
export const confirming = (
  word: string,
  of: string,
  { follows, button }: { follows: string; button: Markup },
): Markup => asking(word, of, html`<form method="post"><p>${follows}</p>${button}</form>`, { isEnd: true })

/** The way to what a page is for, beside its heading. @param isMain nothing else of the page is more to the point now */
export const mainWay = (href: string, text: string, { isMain = true }: { isMain?: boolean } = {}): Markup =>
  html`<a class="button${isMain ? ' main' : null}" href="${href}">${text}</a>`

/** A word or two about a state. The words alone are enough without the colour. */
export const mark = (text: string, tone: MarkTone = 'plain'): Markup => html`<span class="mark ${tone}">${text}</span>`

/** The first line of a page: whether what it shows is well. */
export const verdict = (text: string, tone: MarkTone, hint: Markup | string | null = null): Markup =>
  html`<p class="verdict ${tone}"><strong>${text}</strong>${hint && html` <span class="hint">${hint}</span>`}</p>`

/** A sentence of an operation; text between backticks becomes code. */
export const inWords = (sentence: string): Markup =>
  html`${withBoxTimes(sentence)
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`

/** Commands in messages of operations, and the page that does the same. */
const phrases: readonly (readonly [command: string, page: string])[] = [
  ['see its answer with `capture delivery show`', 'see its answer in the exchange'],
  ['run `capture doctor`', 'see Health, a page for owners of the box'],
  ['`capture doctor`', 'Health, a page for owners of the box,'],
]

export const inPages = (message: string): string =>
  phrases.reduce((text, [command, page]) => text.replaceAll(command, page), message)

/** A message of an operation; an owner gets the link to Health where it says that this page knows more. */
export function operatorMessage(message: string, { isOwner }: { isOwner: boolean }): Markup {
  const link = isOwner && message.includes('`capture doctor`') ? html` <a href="/box">Health</a>` : null
  const words = isOwner ? message : withoutRepair(message)
  return html`${inWords(inPages(words))}${link}`
}
