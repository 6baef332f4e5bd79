import { html, type Markup } from '../../../lib/html.ts'

/** A stored exchange may be longer. This much fits on a page even if every character is escaped. */
const charactersMax = 12_000

/** The exchange with a receiver, which may have sent anything. */
export const exchangeText = (exchange: string): Markup =>
  html`<pre class="exchange"><bdi>${visible(exchange.slice(0, charactersMax))}</bdi></pre>${exchange.length > charactersMax ? html`<p class="hint">The API has the rest.</p>` : null}`

/** Shows characters that control a terminal or the direction of text by their code. */
const visible = (text: string): string =>
  text.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to look for
const steering = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
