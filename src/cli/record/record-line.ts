import type { Entry } from '../../ledger/entry.ts'
import type { JsonObject } from '../../lib/json-value.ts'
import { timestamp } from '../../lib/quantities.ts'
import type { Touch } from '../../processing/attribution/touch.ts'
import { plain, type Style, type Tone } from '../output/style.ts'
import { printable } from '../output/text.ts'

/** Limits the characters of a value, and of a whole line. */
const valueCharactersMax = 40
const detailCharactersMax = 160
const kindColumns = 10
const deviceCharacters = 6

/**
 * One line about a record for the demo's terminal: time, device, kind, content. It shows personal data, because the user of the demo
 * sent it. Captured texts are escaped before they are styled.
 */
export function recordLine(entry: Entry, style: Style = plain): string {
  const { tone, kind, detail } = described(entry)
  const time = new Date(entry.receivedAt).toISOString().slice(11, 19)
  const device = (entry.deviceId ?? '').slice(-deviceCharacters).padEnd(deviceCharacters)
  const ofTestPage = entry.test ? style('dim', '  (test page)') : ''
  const what = style(tone, kind.padEnd(kindColumns))
  return `${style('dim', `${time}  ${printable(device)}`)}  ${what}  ${printable(short(detail, detailCharactersMax))}${ofTestPage}\n`
}

interface Described {
  tone: Tone
  kind: string
  detail: string
}

/** A record in a few words. The text is untrusted: escape it before showing it. */
export function described(entry: Entry): Described {
  switch (entry.kind) {
    case 'submission': {
      const { email, ...others } = entry.fields
      const from = `form ${entry.formId}: ${entry.email ?? (valueText(email) || 'no email address')}`
      const detail = spaced(from, valuesText(others))
      return entry.status === 'accepted'
        ? { tone: 'good', kind: 'submission', detail }
        : {
            tone: 'bad',
            kind: 'refused',
            detail: `${entry.refusedFor === 'honeypot' ? 'honeypot' : 'bot check'}, ${detail}`,
          }
    }
    case 'event': {
      const { url, path, host, ...properties } = entry.properties
      const where = entry.event === '$pageview' ? valueText(path) : ''
      const values = valuesText({ ...properties, ...entry.traits })
      return { tone: 'heading', kind: 'event', detail: spaced(entry.event, where, values) }
    }
    case 'page_view':
      return { tone: 'heading', kind: 'page view', detail: `/${entry.slug}${valuesTextInBrackets(entry.attribution)}` }
    case 'click':
      return { tone: 'heading', kind: 'click', detail: `${entry.verdict}, to ${entry.url}` }
  }
}

const spaced = (...parts: string[]): string => parts.filter((part) => part !== '').join('  ')

/** `first: Buoy red, second: Kelp green`, without empty values. */
const valuesText = (values: JsonObject): string =>
  Object.entries(values)
    .map(([name, value]) => [name, valueText(value)])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ')

const valuesTextInBrackets = (values: JsonObject): string => {
  const text = valuesText(values)
  return text === '' ? '' : `  (${text})`
}

function valueText(value: JsonObject[string] | undefined): string {
  if (value === undefined || value === null) return ''
  return short(typeof value === 'string' ? value : JSON.stringify(value), valueCharactersMax)
}

const short = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`

/** Where somebody came from, for people: `newsletter / email, campaign spring, 2026-11-20 14:03:22 UTC, at https://…`. */
export function touchWords(touch: Touch | null): string {
  if (touch === null) return 'none known'
  const { at, source, medium, campaign, url } = touch
  const parts = [
    `${source} / ${medium}`,
    campaign === null ? '' : `campaign ${campaign}`,
    timestamp(Date.parse(at)),
    url === null ? '' : `at ${url}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}
