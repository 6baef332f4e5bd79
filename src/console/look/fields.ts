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

/** A button that copies the value or text of the element with this id. Only the script shows it. @param what the name for screen readers */
export const copyButton = (id: string, what: string): Markup =>
  html`<button class="copying" type="button" data-copy="${id}" hidden aria-label="Copy: ${what}">Copy</button>`

/** A choice of a `select`. @param chosen the value that is chosen already */
export const option = (value: string, chosen: string | undefined, text = value): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`
