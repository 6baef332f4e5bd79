import type { JsonValue } from '../../../lib/json-value.ts'
import { parseLosslessText } from '../../../lib/lossless-json.ts'
import type { StampedTraits } from '../../../processing/person/persons.ts'

/** The form of a person's traits in the `traits` column, in which no trait's name has a special meaning. */
type Written = [name: string, value: JsonValue, at: number, id: string][]

export const encodeTraits = (traits: StampedTraits): string =>
  JSON.stringify(
    [...traits].map(([name, { value, statedAt }]) => [name, value, statedAt.at, statedAt.id]) satisfies Written,
  )

/** The traits; their numbers keep the digits that were sent. */
export const decodeTraits = (text: string): StampedTraits =>
  new Map((parseLosslessText(text) as Written).map(([name, value, at, id]) => [name, { value, statedAt: { at, id } }]))
