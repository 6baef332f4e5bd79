import type { RecentTime } from '../../client/console/inbox-row.ts'
import { html, type Markup } from '../../lib/html.ts'
import type { JsonValue } from '../../lib/json-value.ts'
import { dateOfDay, localDay } from '../../lib/local-day.ts'
import { plural } from '../../lib/quantities.ts'
import { boxTimeText, localTimeText } from '../look/time-text.ts'

/** What a visitor sent, as text. Its direction does not affect the text around it (HTML, the `bdi` element). */
export const captured = (value: JsonValue | undefined): Markup => html`<bdi>${capturedValue(value)}</bdi>`

/** The same without markup, for titles and attributes. */
export function capturedValue(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  return withoutControls(typeof value === 'string' ? value : JSON.stringify(value))
}

/**
 * Embeddings, overrides and isolates of direction (Unicode Standard Annex 9, section 2). Phones put them around numbers; one
 * without its end would affect the text after it, even outside a `bdi` element, which browsers implement by the same characters.
 */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g
/** C0 and C1 except tab and line ends: their effect depends on the browser. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to look for
const otherControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

const withoutControls = (text: string): string =>
  text
    .replace(directionControls, '')
    .replace(otherControls, '\ufffd')
    .replace(/[\u2028\u2029]/g, '\n')

export const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Cuts between code points. */
export function cut(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`
}

export type Fact = readonly [name: Markup | string, value: Markup | string]

export const factsTable = (facts: readonly Fact[]): Markup =>
  html`<table class="facts">${facts.map(([name, value]) => html`<tr><th scope="row">${name}</th><td class="value">${value}</td></tr>`)}</table>`

/** The few figures that somebody opens the page for. */
export const statList = (stats: readonly Fact[]): Markup =>
  html`<dl class="stats">${stats.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** An instant in the account's time zone, readable by people and machines: `22 Nov 2026, 09:15`. */
export const localTime = (at: string | number, timeZone: string): Markup =>
  html`<time datetime="${new Date(at).toISOString()}">${localTimeText(at, timeZone)}</time>`

/** The same on pages of the box, which has no time zone: `22 Nov 2026, 09:15 UTC`. */
export const boxTime = (at: string | number): Markup =>
  html`<time datetime="${new Date(at).toISOString()}">${boxTimeText(at)}</time>`

/** Its day alone, where the hour does not matter. */
export const localDayTime = (at: string | number, timeZone: string): Markup =>
  html`<time datetime="${new Date(at).toISOString()}" title="${localTimeText(at, timeZone)}">${localTimeText(at, timeZone).replace(/,.*/, '')}</time>`

export const boxDay = (at: string | number): Markup => localDayTime(at, 'UTC')

/** Its hour and minute alone, where the day stands above. */
export const hourTime = (at: string | number, timeZone: string): Markup =>
  html`<time datetime="${new Date(at).toISOString()}" title="${localTimeText(at, timeZone)}">${localTimeText(at, timeZone).split(', ').at(-1) ?? ''}</time>`

/** An instant in a list of what is recent, in parts by days. */
export function recentTime(at: string | number, timeZone: string, now: number): RecentTime {
  const instant = new Date(at)
  const [on, today] = [localDay(instant.getTime(), timeZone), localDay(now, timeZone)]
  const text = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(instant)
  const isOfThisYear = dateOfDay(on).slice(0, 4) === dateOfDay(today).slice(0, 4)
  return {
    day: nearDays[today - on] ?? 'earlier',
    date: text({ day: 'numeric', month: 'short', ...(!isOfThisYear && { year: 'numeric' }) }),
    clock: text({ timeStyle: 'short' }),
  }
}

const nearDays = ['today', 'yesterday'] as const

/** A recent instant in a list, as short as it is clear: `09:15` of today, else `22 Nov, 09:15`. */
export function shortTime(at: string | number, timeZone: string, now: number): Markup {
  const { day, date, clock } = recentTime(at, timeZone, now)
  return html`<time datetime="${new Date(at).toISOString()}" title="${localTimeText(at, timeZone)}">${day === 'today' ? clock : `${date}, ${clock}`}</time>`
}

const dayMs = 86_400_000

const minute = [60_000, 'minute', 'min'] as const
const steps = [[dayMs, 'day', 'd'], [3_600_000, 'hour', 'h'], minute] as const

/** An instant as its distance from now, which needs no time zone: `5 minutes ago`. */
export function agoTime(at: number, now: number): Markup {
  const ms = Math.max(0, now - at)
  const [step, unit] = steps.find(([step]) => ms >= step) ?? []
  const text = step === undefined || unit === undefined ? 'just now' : `${plural(Math.floor(ms / step), unit)} ago`
  return html`<time datetime="${new Date(at).toISOString()}" title="${boxTimeText(at)}">${text}</time>`
}

/** An instant to come as its distance from now, in the unit that says it best: `in 4 min`, `in 80 min`, `in 2 h`. */
export function untilTime(at: number, timeZone: string, now: number): Markup {
  const [step, , unit] = steps.find(([step]) => at - now >= 1.5 * step) ?? minute
  return html`<time datetime="${new Date(at).toISOString()}" title="${localTimeText(at, timeZone)}">in ${Math.max(1, Math.round((at - now) / step))} ${unit}</time>`
}
