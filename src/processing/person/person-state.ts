import type { JsonObject } from '../../lib/json-value.ts'
import type { DeviceKey } from '../device-state.ts'
import type { Receipt } from '../receipt.ts'
import type { StampedTraits } from './traits.ts'

/** Storage's name of a person. */
export type PersonKey = number & { readonly __of: 'person' }

export interface Person {
  key: PersonKey
}

export interface PersonState {
  /** The person of the address, made with a new id when there is none. */
  named(accountId: string, email: string): Person
  /** What records that name the person have said of them. */
  traitsOf(person: PersonKey): StampedTraits
  keepTraits(person: PersonKey, traits: StampedTraits): void
  /** Keeps traits for whoever the device belongs to at that receipt, now or once it becomes somebody's. */
  noteTraits(device: DeviceKey, traits: JsonObject, said: Receipt): void
  /** From this record on the device is the person's (contract section 8). */
  tie(device: DeviceKey, person: PersonKey, from: Receipt): void
}
