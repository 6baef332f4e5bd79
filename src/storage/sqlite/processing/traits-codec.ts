import type { JsonValue } from '../../../lib/json-value.ts'
import { parseLosslessText } from '../../../lib/lossless-json.ts'
import type { StampedTraits } from '../../../processing/person/traits.ts'

/** How a person's traits are written in the `traits` column, so that no name of a trait means anything else. */
type Written = [name: string, value: JsonValue, at: number, id: string][]

export const encodeTraits = (traits: StampedTraits): string =>
  JSON.stringify(
    [...traits].map(([name, { value, statedAt }]) => [name, value, statedAt.at, statedAt.id]) satisfies Written,
  )

/** The traits, with the digits of their numbers as they were sent. */
export const decodeTraits = (text: string): StampedTraits =>
  new Map((parseLosslessText(text) as Written).map(([name, value, at, id]) => [name, { value, statedAt: { at, id } }]))
