import { html, type Markup } from '../../../lib/html.ts'

/** What is kept may be longer; a page has room for so much even if every character has to be escaped. */
const charactersMax = 12_000

/** The dialogue with a receiver, whose words may be anything. */
export const exchangeText = (exchange: string): Markup =>
  html`<pre class="exchange"><bdi>${visible(exchange.slice(0, charactersMax))}</bdi></pre>${exchange.length > charactersMax ? html`<p class="hint">The rest is in the API’s answer.</p>` : null}`

/** Characters that steer a terminal or turn the text around stand as their code. */
const visible = (text: string): string =>
  text.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const steering = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
