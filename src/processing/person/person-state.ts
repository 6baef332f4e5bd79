import type { DeviceKey } from '../device-state.ts'
import type { Receipt } from '../receipt.ts'
import type { StampedTraits } from './traits.ts'

/** Storage's name of a person. */
export type PersonKey = number & { readonly __of: 'person' }

export interface Person {
  key: PersonKey
  traits: StampedTraits
}

export interface PersonState {
  /** The person of the address, made with a new id when there is none. */
  named(accountId: string, email: string): Person
  /** Keeps changed traits. */
  save(person: Person): void
  /** From this record on the device is the person's (contract section 8). */
  tie(device: DeviceKey, person: PersonKey, from: Receipt): void
  /** Whose the device is at that moment of receipt; before its first tie it is the first person's. `null`: nobody's. */
  ownerOf(device: DeviceKey, at: Receipt): PersonKey | null
}
