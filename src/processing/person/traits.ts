import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import { isLater, type Receipt } from '../receipt.ts'

/** A person's traits, each with the record that said it last. */
export type StampedTraits = Record<string, { value: JsonValue; said: Receipt }>

/** The traits after a record stated some: of each the last by receipt wins (contract section 8). */
export function mergedTraits(known: StampedTraits, stated: JsonObject, said: Receipt): StampedTraits {
  const merged = { ...known }
  for (const [name, value] of Object.entries(stated)) {
    const before = known[name]
    if (before === undefined || isLater(said, before.said)) merged[name] = { value, said }
  }
  return merged
}
