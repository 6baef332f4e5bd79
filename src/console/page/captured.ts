import { html, type Markup } from '../../lib/html.ts'
import type { JsonValue } from '../../lib/json-value.ts'

/** What a visitor sent, as text: it turns no text around it, whatever its direction (HTML, the `bdi` element). */
export const captured = (value: JsonValue | undefined): Markup => html`<bdi>${capturedText(value)}</bdi>`

export function capturedText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}
