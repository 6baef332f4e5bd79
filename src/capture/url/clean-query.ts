import type { Attribution } from '../../ledger/entry.ts'
import { formDecoded, type JudgedName, judgedName } from './parameter-name.ts'
import { looksPersonal } from './personal-text.ts'
import { worthALook } from './worth-a-look.ts'

/** Campaigns have fewer. Further parameters are removed from the query and not stored. */
const attributionsMax = 32

/** A query as it may be stored, and what was lifted out of it. */
export interface CleanedQuery {
  query: string
  attribution: Attribution
}

/**
 * Lifts the attribution out of a serialised query and leaves out what looks personal (docs/events.md).
 * Parameters end at `&`, as the URL standard has it; one that holds others (`a=1;token=…`) is judged by those too. Of a
 * repeated name the first value counts.
 *
 * @param judge what names say; a caller that cleans many may remember it
 */
export function cleanQuery(query: string, judge: (rawName: string) => JudgedName = judgedName): CleanedQuery {
  const attribution: Attribution = {}
  const parameters = query.split('&')
  const kept: string[] = []
  for (const parameter of parameters) {
    const rawName = nameOf(parameter)
    const { kind, name } = judge(rawName)
    if (kind === 'click_id' || (kind === 'utm' && !isPersonalValue(parameter))) {
      lift(attribution, name, formDecoded(parameter.slice(rawName.length + 1)))
    } else if (kind === 'plain' && !isPersonalValue(parameter)) kept.push(parameter)
  }
  return { query: kept.length === parameters.length ? query : kept.join('&'), attribution }
}

const isPersonalValue = (parameter: string): boolean => worthALook(parameter) && looksPersonal(parameter)

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=')
  return equals === -1 ? parameter : parameter.slice(0, equals)
}

function lift(attribution: Attribution, name: string, value: string): void {
  if (value === '' || attribution[name] !== undefined || Object.keys(attribution).length >= attributionsMax) return
  attribution[name] = value
}
