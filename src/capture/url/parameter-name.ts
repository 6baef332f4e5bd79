import data from './click-ids.json'
import { decodedOnce } from './decoded-text.ts'
import { isPersonalName } from './personal-name.ts'

/** The judgement of a parameter by its name alone (docs/events.md). */
export interface JudgedName {
  /**
   * `click_id`: lifted as it is. `utm`: lifted, unless its value looks personal. `removed`: neither lifted nor kept.
   * `plain`: kept, unless its value looks personal.
   */
  kind: 'click_id' | 'utm' | 'removed' | 'plain'
  /** As an attribution is stored: decoded, lower-case. */
  name: string
}

/** Judges a name as it stands in a query. */
export function judgedName(rawName: string): JudgedName {
  const name = formDecoded(rawName).toLowerCase()
  if (clickIdNames.has(name)) return { kind: 'click_id', name }
  const isPersonal = isPersonalName(rawName)
  if (name.startsWith('utm_')) return { kind: isUtmName(name) && !isPersonal ? 'utm' : 'removed', name }
  return { kind: isPersonal ? 'removed' : 'plain', name }
}

/** As a form encodes: `+` is a space. */
export function formDecoded(text: string): string {
  return decodedOnce(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/** The ad platforms' click ids, lower-case. */
export const clickIdNames: ReadonlySet<string> = new Set(data.platforms.flatMap((platform) => platform.names))

/** Restricts `utm_` names, which callers choose, before they become keys of a record. */
const utmName = /^utm_[a-z0-9_.-]{1,60}$/

const isUtmName = (name: string): boolean => utmName.test(name)
