import { html, type Markup } from '../../lib/html.ts'

/** A table that may be wider than a phone: it scrolls on its own, also by keyboard. */
export const wideTable = (name: string, content: Markup): Markup =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${name}"><table>${content}</table></div>`

/** A table whose rows become a few lines each on a phone; `data-label` names a cell there. */
export const stackedTable = (name: string, content: Markup): Markup =>
  html`<div class="stacks">${wideTable(name, content)}</div>`
