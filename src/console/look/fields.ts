import { textsOf } from '../../language/language.ts'
import type { Texts } from '../../language/texts/en.ts'
import { html, type Markup } from '../../lib/html.ts'

interface Copied {
  id: string
  label: string
  text: string
  /** Lines to show; absent: one. */
  rows?: number
  /** Whether to copy it is what the page is for: a section with a heading. */
  isMain?: boolean
  words?: KeepingWords
}

/** What the buttons say. */
type KeepingWords = Pick<Texts['console']['entry'], 'copy' | 'copied' | 'download' | 'print'>

const { entry: english } = textsOf('en').console

/** A field with a button that copies its text; without script, users select the text. */
export function copyField({ id, label, text, rows, isMain, words = english }: Copied): Markup {
  const field =
    rows === undefined
      ? html`<input id="${id}" class="mono" readonly value="${text}">`
      : // The line break after the tag is not part of the text (HTML, section 4.10.11).
        html`<textarea id="${id}" class="mono" readonly rows="${rows}" wrap="off" spellcheck="false">
${text}</textarea>`
  const name = html`<label for="${id}">${label}</label>`
  return html`<div class="copy${isMain ? ' main' : null}">${isMain ? html`<h2>${name}</h2>` : name}${field}${copyButton(id, label, words)}</div>`
}

interface Kept {
  /** The element whose value or text it is. */
  id: string
  /** The name of the file. */
  file: string
  words?: KeepingWords
}

/** Buttons that save a text as a file and that print the page. Only the script shows them. */
export const keepButtons = ({ id, file, words = english }: Kept): Markup =>
  html`<p class="take"><button class="quiet" type="button" data-save="${id}" data-file="${file}" hidden>${words.download}</button> <button class="quiet" type="button" data-print hidden>${words.print}</button></p>`

/** A button that copies the value or text of the element with this id. Only the script shows it. @param what the name for screen readers */
export const copyButton = (id: string, what: string, words: KeepingWords = english): Markup =>
  html`<button class="copying" type="button" data-copy="${id}" data-done="${words.copied}" hidden aria-label="${words.copy}: ${what}">${words.copy}</button>`

/** Why what a field of a form says was refused. */
export interface FieldFault {
  field: string
  message: Markup | string
}

/** For the tag of a field: what describes it, and whether its value was refused. @param hint the id of what else describes it */
export function described(field: string, fault: FieldFault | null, hint?: string): Markup {
  const isRefused = fault?.field === field
  const ids = [...(hint === undefined ? [] : [hint]), ...(isRefused ? [faultId(field)] : [])]
  return html`${ids.length === 0 ? null : html` aria-describedby="${ids.join(' ')}"`}${isRefused ? html` aria-invalid="true" autofocus` : null}`
}

/** For the tag of the field that its page begins with: nothing has to be touched before typing. */
export const focusIf = (isFirst: boolean): Markup | null => (isFirst ? html` autofocus` : null)

/** Below the field: why its value was refused. */
export const faultLine = (field: string, fault: FieldFault | null): Markup | null =>
  fault?.field === field ? html`<p class="fault" role="alert" id="${faultId(field)}">${fault.message}</p>` : null

const faultId = (field: string): string => `${field}-fault`

/** A choice of a `select`. @param chosen the value that is chosen already */
export const option = (value: string, chosen: string | undefined, text = value): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`
