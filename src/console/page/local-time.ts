import { html, type Markup } from '../../lib/html.ts'

/** An instant in the account's time zone, for people and for machines: `22 Nov 2026, 09:15`. */
export function localTime(iso: string, timeZone: string): Markup {
  const text = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(
    Date.parse(iso),
  )
  return html`<time datetime="${iso}">${text}</time>`
}
