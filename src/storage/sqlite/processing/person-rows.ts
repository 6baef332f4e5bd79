import type { Database } from 'bun:sqlite'
import type { JsonValue } from '../../../lib/json-value.ts'
import { parseLosslessText } from '../../../lib/lossless-json.ts'
import type { Person, PersonKey, PersonName, Persons, StampedTraits } from '../../../processing/person/persons.ts'
import { BulkInsert, StoredKeys } from './bulk-insert.ts'
import type { RowOfAccount } from './processed-accounts.ts'

/** The tables `person`, `device_tie` and `device_traits`. */
export class PersonRows {
  readonly keys: StoredKeys
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
    private readonly devices: Pick<StoredKeys, 'rowOf'>,
  ) {
    this.keys = new StoredKeys(raw, 'person')
    this.statements = prepareStatements(raw)
  }

  named({ accountId, email }: PersonName): Person | null {
    const row = this.statements.named.get(this.rowOfAccount(accountId), emailMark(email), email)
    return row && { key: row.row, traits: decodeTraits(row.traits) }
  }

  keep({ made, changed, ties, deviceTraits }: Pick<Persons, 'made' | 'changed' | 'ties' | 'deviceTraits'>): void {
    this.keys.begin()
    const { statements, keys, devices } = this
    statements.make.run(
      made.map(({ accountId, email, id, person }) => [
        keys.rowOf(person.key),
        this.rowOfAccount(accountId),
        id,
        email,
        emailMark(email),
        encodeTraits(person.traits),
      ]),
    )
    for (const { key, traits } of changed) statements.save.run(encodeTraits(traits), key)
    statements.tie.run(
      ties.map(({ device, person, from }) => [devices.rowOf(device), from.at, from.id, keys.rowOf(person)]),
    )
    statements.noteTraits.run(
      deviceTraits.map(({ device, traits, statedAt }) => [
        devices.rowOf(device),
        statedAt.at,
        statedAt.id,
        JSON.stringify(traits),
      ]),
    )
  }
}

interface PersonRow {
  row: PersonKey
  traits: string
}

function prepareStatements(raw: Database) {
  const unlessKnown = 'ON CONFLICT DO NOTHING'
  return {
    named: raw.query<PersonRow, [number, number, string]>(
      'SELECT row, traits FROM person WHERE account_row = ? AND email_mark = ? AND email = ?',
    ),
    make: new BulkInsert(raw, 'person (row, account_row, id, email, email_mark, traits)'),
    save: raw.query('UPDATE person SET traits = ? WHERE row = ?'),
    tie: new BulkInsert(raw, 'device_tie (device_row, received_at, entry_id, person_row)', unlessKnown),
    noteTraits: new BulkInsert(raw, 'device_traits (device_row, received_at, entry_id, traits)', unlessKnown),
  }
}

/** Takes back that entries named persons. Call in a transaction, once a submission's own row names nobody any more. */
export class NamedPersons {
  private readonly statements: ReturnType<typeof prepareNamed>

  constructor(raw: Database) {
    this.statements = prepareNamed(raw)
  }

  /** The device is then whose it would be without the entry. Returns the person if nothing else names them: they are gone. */
  untie({ deviceRow, personRow, receivedAt, id }: NamingEntry): RemovedPerson | null {
    if (deviceRow !== null) this.statements.untie.run(deviceRow, receivedAt, id)
    return personRow === null ? null : this.removeUnnamed(personRow)
  }

  /** `null`: something is theirs still. */
  removeUnnamed(personRow: number): RemovedPerson | null {
    return this.statements.removeUnnamed.get(personRow)
  }
}

export interface RemovedPerson {
  accountRow: number
  id: string
}

/** An entry that may have named a person, and from which device. */
export interface NamingEntry {
  deviceRow: number | null
  personRow: number | null
  receivedAt: number
  id: string
}

const prepareNamed = (raw: Database) => ({
  untie: raw.query<null, [number, number, string]>(
    'DELETE FROM device_tie WHERE device_row = ? AND received_at = ? AND entry_id = ?',
  ),
  removeUnnamed: raw.query<RemovedPerson, [number]>(
    `DELETE FROM person WHERE row = ?1 AND NOT EXISTS (SELECT 1 FROM device_tie WHERE person_row = ?1)
       AND NOT EXISTS (SELECT 1 FROM submission_fact WHERE person_row = ?1)
     RETURNING account_row AS accountRow, id`,
  ),
})

/** The form of a person's traits in the `traits` column, in which no trait's name has a special meaning. */
type Written = [name: string, value: JsonValue, at: number, id: string][]

const encodeTraits = (traits: StampedTraits): string =>
  JSON.stringify(
    [...traits].map(([name, { value, statedAt }]) => [name, value, statedAt.at, statedAt.id]) satisfies Written,
  )

/** The traits; their numbers keep the digits that were sent. */
export const decodeTraits = (text: string): StampedTraits =>
  new Map((parseLosslessText(text) as Written).map(([name, value, at, id]) => [name, { value, statedAt: { at, id } }]))

/**
 * Persons are found by 32 bits of their address's hash. An index of addresses would leave copies of them in the free
 * bytes of its pages, out of any erasure's reach. A mark this short matches several of all existing addresses, so what
 * is left of one identifies nobody.
 *
 * `email` as `identityEmail` writes it.
 */
export function emailMark(email: string): number {
  return new DataView(Bun.SHA256.hash(email).buffer).getUint32(0)
}
