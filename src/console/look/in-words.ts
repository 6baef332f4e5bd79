import { html, type Markup } from '../../lib/html.ts'

/** A sentence of an operation, in which what stands between backticks is code. */
export const inWords = (sentence: string): Markup =>
  html`${sentence.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
