import { html, type Markup } from '../../lib/html.ts'

/** A sentence of an operation; text between backticks becomes code. */
export const inWords = (sentence: string): Markup =>
  html`${sentence.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
