import { html, type Markup } from '../../lib/html.ts'

/** Why something was refused; `null`: nothing was. */
export const faultLine = (fault: Markup | string | null): Markup | null =>
  fault === null ? null : html`<p class="fault" role="alert">${fault}</p>`
