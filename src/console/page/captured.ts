import { html, type Markup } from '../../lib/html.ts'
import type { JsonValue } from '../../lib/json-value.ts'

/** What a visitor sent, as text: it turns no text around it, whatever its direction (HTML, the `bdi` element). */
export const captured = (value: JsonValue | undefined): Markup => html`<bdi>${capturedText(value)}</bdi>`

/** The same without markup, for titles and attributes. */
export function capturedText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  return withoutControls(typeof value === 'string' ? value : JSON.stringify(value))
}

/**
 * Embeddings, overrides and isolates of direction (Unicode Standard Annex 9, section 2). Telephones put them around numbers; one
 * without its end would turn what follows, also out of a `bdi` element, which browsers make of the same characters.
 */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g
/** C0 and C1 but for tab and line ends; what they would do is nobody's to say. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const otherControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

const withoutControls = (text: string): string =>
  text
    .replace(directionControls, '')
    .replace(otherControls, '\ufffd')
    .replace(/[\u2028\u2029]/g, '\n')
