import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import { isLater, type Receipt } from '../receipt.ts'

/** A person's traits by name, each with the record that last stated it. */
export type StampedTraits = ReadonlyMap<string, StampedTrait>

interface StampedTrait {
  value: JsonValue
  statedAt: Receipt
}

/**
 * Traits kept of a person, the latest. Limited by count, so that the result does not depend on order. All of them are
 * read and written whenever one is stated, possibly by a stranger: 16,000 characters at most.
 */
export const traitsMax = 40
/** Characters of a value as JSON. A longer value is kept only with its event; the trait becomes `null`. */
export const traitCharactersMax = 300
/** Characters of a trait's name. A trait with a longer name is kept only with its event. */
export const traitNameCharactersMax = 100

/** Merges traits that a record stated: for each, the latest by receipt wins (docs/identity.md). */
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

/** The traits without receipts, in alphabetical order. */
export const plainTraits = (traits: StampedTraits): JsonObject =>
  Object.fromEntries(
    [...traits].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, { value }]) => [name, value]),
  )

const bounded = (value: JsonValue): JsonValue => (JSON.stringify(value).length > traitCharactersMax ? null : value)

/** Within one record, traits are ordered by name. */
function latestTraits(traits: StampedTraits): StampedTraits {
  const sorted = [...traits].sort(([name, { statedAt }], [otherName, { statedAt: other }]) => {
    if (isLater(statedAt, other)) return -1
    return isLater(other, statedAt) || name > otherName ? 1 : -1
  })
  return new Map(sorted.slice(0, traitsMax))
}
