import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import { isLater, type Receipt } from '../receipt.ts'

/** A person's traits by name, each with the record that said it last. */
export type StampedTraits = ReadonlyMap<string, StampedTrait>

interface StampedTrait {
  value: JsonValue
  statedAt: Receipt
}

/**
 * Traits kept of a person: those said last. Counted, not weighed, so that they do not depend on who came first. All of
 * them are read and written again whenever one is said, and a stranger may say them: some 16,000 characters at most.
 */
export const traitsMax = 40
/** Characters of a value, as JSON. A longer one is kept with its event alone, and the trait is `null`. */
export const traitCharactersMax = 300
/** Characters of a trait's name. What has a longer one is kept with its event alone. */
export const traitNameCharactersMax = 100

/** The traits after a record stated some: of each the last by receipt wins (contract section 8). */
export function mergedTraits(known: StampedTraits, stated: JsonObject, statedAt: Receipt): StampedTraits {
  const merged = new Map(known)
  for (const [name, value] of Object.entries(stated)) {
    if (name.length > traitNameCharactersMax) continue
    const before = known.get(name)
    if (before === undefined || isLater(statedAt, before.statedAt))
      merged.set(name, { value: bounded(value), statedAt })
  }
  return merged.size > traitsMax ? latestTraits(merged) : merged
}

/** The traits without their stamps, by name in alphabetical order. */
export const plainTraits = (traits: StampedTraits): JsonObject =>
  Object.fromEntries(
    [...traits].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, { value }]) => [name, value]),
  )

const bounded = (value: JsonValue): JsonValue => (JSON.stringify(value).length > traitCharactersMax ? null : value)

/** What one record says goes by name. */
function latestTraits(traits: StampedTraits): StampedTraits {
  const sorted = [...traits].sort(([name, { statedAt }], [otherName, { statedAt: other }]) => {
    if (isLater(statedAt, other)) return -1
    return isLater(other, statedAt) || name > otherName ? 1 : -1
  })
  return new Map(sorted.slice(0, traitsMax))
}
