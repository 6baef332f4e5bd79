import { derivedId } from '../../lib/id.ts'
import type { JsonObject } from '../../lib/json-value.ts'
import { Answers } from '../answers.ts'
import type { DeviceKey } from '../devices.ts'
import type { Receipt } from '../receipt.ts'
import type { StampedTraits } from './traits.ts'

/** Storage's name of a person; negative until the step that met them first is kept. */
export type PersonKey = number & { readonly __of: 'person' }

/** A person, and what records that name them have said of them. */
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
  person(asked: PersonName[]): (Person | null)[]
}

/** The persons that entries of a step name, and whose devices these make theirs. */
export class Persons {
  /** Those named for the first time, in that order. */
  readonly made: (PersonName & { id: string; person: Person })[] = []
  /** Those of whom something new was said. */
  readonly changed = new Set<Person>()
  readonly ties: { device: DeviceKey; person: PersonKey; from: Receipt }[] = []
  /** What was said of whoever the device belongs to at that receipt, now or once it becomes somebody's. */
  readonly deviceTraits: { device: DeviceKey; traits: JsonObject; statedAt: Receipt }[] = []
  private readonly byName: Answers<PersonName, Person | null>

  constructor(load: PersonLoads) {
    this.byName = new Answers(
      (asked) => load.person(asked),
      ({ accountId, email }) => accountId + email,
    )
  }

  foresee(names: readonly PersonName[]): void {
    this.byName.foresee(names)
  }

  /**
   * The person of the address. One who is named for the first time has an id that follows from the entry which names
   * them: a ledger that is folded again gives the same. Not from the address, which can be guessed: and somebody who was
   * erased, with all their entries, comes back as somebody else.
   */
  named(accountId: string, email: string, by: Receipt): Person {
    const name = { accountId, email }
    return this.known(name) ?? this.make(name, by)
  }

  /** `null`: no entry before has named them. */
  known(name: PersonName): Person | null {
    return this.byName.of(name)
  }

  keepTraits(person: Person, traits: StampedTraits): void {
    person.traits = traits
    if (person.key > 0) this.changed.add(person)
  }

  noteTraits(device: DeviceKey, traits: JsonObject, statedAt: Receipt): void {
    this.deviceTraits.push({ device, traits, statedAt })
  }

  /** From this record on the device is the person's (contract section 8). */
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
