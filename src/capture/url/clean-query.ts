import type { Attribution } from '../../ledger/entry.ts'
import { clickIdNames, isUtmName } from './attribution-name.ts'
import { decodedOnce } from './decoded-text.ts'
import { isPersonalName } from './personal-name.ts'
import { looksPersonal } from './personal-text.ts'
import { worthALook } from './worth-a-look.ts'

/** Nobody's campaign has more; the rest is removed from the query like them, and not stored. */
const attributionsMax = 32

/**
 * Lifts the attribution out of a serialised query and leaves out what looks personal (contract section 4, points 2 and 3).
 * Parameters end at `&`, as the URL standard has it; one that holds others (`a=1;token=…`) is judged by those too. Of a
 * repeated name the first value counts.
 */
export function cleanQuery(query: string): { query: string; attribution: Attribution } {
  const attribution: Attribution = {}
  const parameters = query.split('&')
  const kept = parameters.filter((parameter) => !isLifted(parameter, attribution) && !isPersonal(parameter))
  return { query: kept.length === parameters.length ? query : kept.join('&'), attribution }
}

/** Whether the parameter is attribution, whose value is then taken over: a click id as it is, others unless personal. */
function isLifted(parameter: string, attribution: Attribution): boolean {
  const rawName = nameOf(parameter)
  const name = lowerName(rawName)
  const isClickId = clickIdNames.has(name)
  if (!isClickId && !name.startsWith('utm_')) return false
  if (isClickId || (isUtmName(name) && !isPersonal(parameter))) {
    lift(attribution, name, formDecoded(parameter.slice(rawName.length + 1)))
  }
  return true
}

const isPersonal = (parameter: string): boolean =>
  isPersonalName(nameOf(parameter)) || (worthALook(parameter) && looksPersonal(parameter))

/** Most names are written as they are compared, which a look tells sooner than decoding does. */
const plainName = /^[a-z0-9_]*$/

const lowerName = (rawName: string): string => (plainName.test(rawName) ? rawName : formDecoded(rawName).toLowerCase())

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=')
  return equals === -1 ? parameter : parameter.slice(0, equals)
}

function lift(attribution: Attribution, name: string, value: string): void {
  if (value === '' || attribution[name] !== undefined || Object.keys(attribution).length >= attributionsMax) return
  attribution[name] = value
}

/** As a form encodes: `+` is a space. */
function formDecoded(text: string): string {
  return decodedOnce(text.includes('+') ? text.replaceAll('+', ' ') : text)
}
