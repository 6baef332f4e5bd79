import { html, type Markup } from '../../lib/html.ts'
import { plural } from '../../lib/quantities.ts'

/** An instant in the account's time zone, readable by people and machines: `22 Nov 2026, 09:15`. */
export const localTime = (iso: string, timeZone: string): Markup =>
  html`<time datetime="${iso}">${localTimeText(iso, timeZone)}</time>`

export const localTimeText = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(iso))

const steps: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]

/** An instant as its distance from now, which needs no time zone: `5 minutes ago`. */
export function agoTime(at: number, now: number): Markup {
  const ms = Math.max(0, now - at)
  const [step, unit] = steps.find(([step]) => ms >= step) ?? []
  const text = step === undefined || unit === undefined ? 'just now' : `${plural(Math.floor(ms / step), unit)} ago`
  return html`<time datetime="${new Date(at).toISOString()}">${text}</time>`
}
