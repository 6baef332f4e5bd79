import { html, type Markup } from '../../lib/html.ts'

/** An instant in the account's time zone, readable by people and machines: `22 Nov 2026, 09:15`. */
export const localTime = (iso: string, timeZone: string): Markup =>
  html`<time datetime="${iso}">${localTimeText(iso, timeZone)}</time>`

export const localTimeText = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(iso))
