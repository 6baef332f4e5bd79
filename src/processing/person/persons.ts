import { derivedId } from '../../lib/id.ts'
import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import { Answers } from '../answers.ts'
import type { DeviceKey } from '../devices.ts'
import { isLater, type Receipt } from '../ledger-item.ts'

/** Storage's key of a person; negative until the first step that meets the person is kept. */
export type PersonKey = number & { readonly __of: 'person' }

/** A person and their traits, from the records that name them. */
export interface Person {
  key: PersonKey
  traits: StampedTraits
}

export interface PersonName {
  accountId: string
  /** As `identityEmail` writes it. */
  email: string
}

export interface PersonLoads {
  /** `null`: no earlier entry named them. */
  person(asked: PersonName): Person | null
}

/** The persons that the step's entries name, and the devices that become theirs. */
export class Persons {
  /** Persons named for the first time, in that order. */
  readonly made: (PersonName & { id: string; person: Person })[] = []
  /** Persons with new traits. */
  readonly changed = new Set<Person>()
  readonly ties: { device: DeviceKey; person: PersonKey; from: Receipt }[] = []
  /** Traits stated for whoever the device belongs to at that receipt, now or later. */
  readonly deviceTraits: { device: DeviceKey; traits: JsonObject; statedAt: Receipt }[] = []
  private readonly byName: Answers<PersonName, Person | null>

  constructor(load: PersonLoads) {
    this.byName = new Answers(
      (asked) => load.person(asked),
      ({ accountId, email }) => accountId + email,
    )
  }

  /**
   * The person of the address. A new person's id is derived from the entry that first names them, so that a refolded
   * ledger gives the same id. It is not derived from the address, which could be guessed, and an erased person must
   * return as a new one.
   */
  named(accountId: string, email: string, by: Receipt): Person {
    const name = { accountId, email }
    return this.byName.of(name) ?? this.make(name, by)
  }

  keepTraits(person: Person, traits: StampedTraits): void {
    person.traits = traits
    if (person.key > 0) this.changed.add(person)
  }

  noteTraits(device: DeviceKey, traits: JsonObject, statedAt: Receipt): void {
    this.deviceTraits.push({ device, traits, statedAt })
  }

  /** Makes the device the person's from this record on (docs/identity.md). */
  tie(device: DeviceKey, { key }: Person, from: Receipt): void {
    this.ties.push({ device, person: key, from })
  }

  private make(name: PersonName, { at, id }: Receipt): Person {
    const person: Person = { key: -(this.made.length + 1) as PersonKey, traits: new Map() }
    this.made.push({ ...name, id: derivedId(at, `person ${name.accountId} ${id}`), person })
    this.byName.set(name, person)
    return person
  }
}

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
