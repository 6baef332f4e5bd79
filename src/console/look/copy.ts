import { html, type Markup } from '../../lib/html.ts'

/** Text that one takes along. */
export interface Copied {
  /** Unique on the page. */
  id: string
  label: string
  text: string
  /** More than one line of it is shown. */
  rows?: number
}

/** A field to copy from: by its button, or by hand without a script. */
export function copyField({ id, label, text, rows }: Copied): Markup {
  const field =
    rows === undefined
      ? html`<input id="${id}" class="mono" readonly value="${text}">`
      : // A line break behind the tag is none of the text (HTML, section 4.10.11).
        html`<textarea id="${id}" class="mono" readonly rows="${rows}" wrap="off" spellcheck="false">
${text}</textarea>`
  return html`<div class="copy"><label for="${id}">${label}</label>${field}${copyButton(id, label)}</div>`
}

/** A button that copies the value or text of the element with that id. Only the script shows it. @param what named to whom the page is read */
export const copyButton = (id: string, what: string): Markup =>
  html`<button class="copying" type="button" data-copy="${id}" hidden aria-label="Copy: ${what}">Copy</button>`
