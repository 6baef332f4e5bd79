import { html, type Markup } from '../../lib/html.ts'

interface Copied {
  id: string
  label: string
  text: string
  /** Lines to show; absent: one. */
  rows?: number
}

/** A field with a button that copies its text; without script, users select the text. */
export function copyField({ id, label, text, rows }: Copied): Markup {
  const field =
    rows === undefined
      ? html`<input id="${id}" class="mono" readonly value="${text}">`
      : // The line break after the tag is not part of the text (HTML, section 4.10.11).
        html`<textarea id="${id}" class="mono" readonly rows="${rows}" wrap="off" spellcheck="false">
${text}</textarea>`
  return html`<div class="copy"><label for="${id}">${label}</label>${field}${copyButton(id, label)}</div>`
}

interface Kept extends Copied {
  /** The name of the file that it is saved as. */
  file: string
}

/** A text to take away: with buttons that copy it, save it as a file, and print the page. Only the script shows them. */
export const keptText = ({ file, ...copied }: Kept): Markup =>
  html`${copyField(copied)}<p class="take"><button class="quiet" type="button" data-save="${copied.id}" data-file="${file}" hidden>Download</button> <button class="quiet" type="button" data-print hidden>Print</button></p>`

/** A button that copies the value or text of the element with this id. Only the script shows it. @param what the name for screen readers */
export const copyButton = (id: string, what: string): Markup =>
  html`<button class="copying" type="button" data-copy="${id}" hidden aria-label="Copy: ${what}">Copy</button>`

/** A choice of a `select`. @param chosen the value that is chosen already */
export const option = (value: string, chosen: string | undefined, text = value): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`
