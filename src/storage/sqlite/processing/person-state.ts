import { and, eq, sql } from 'drizzle-orm'
import { newId } from '../../../lib/id.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import type { DeviceKey } from '../../../processing/device-state.ts'
import type { Person, PersonKey, PersonState } from '../../../processing/person/person-state.ts'
import type { StampedTraits } from '../../../processing/person/traits.ts'
import type { Receipt } from '../../../processing/receipt.ts'
import type { Connection } from '../connection.ts'
import { emailMark } from './email-mark.ts'
import type { EntryUnderWay } from './entry-under-way.ts'
import { deviceTie, deviceTraits, person } from './schema.ts'
import { decodeTraits, encodeTraits, noTraits } from './traits-codec.ts'

export class SqlitePersonState implements PersonState {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly underWay: EntryUnderWay,
  ) {
    this.statements = prepareStatements(connection)
  }

  named(_accountId: string, email: string): Person {
    const { accountRow } = this.underWay
    const mark = emailMark(email)
    const found = this.statements.find.get({ accountRow, email, mark })
    const row = found?.row ?? this.statements.make.all({ accountRow, id: newId(), email, mark }).at(0)?.row
    return { key: row as PersonKey }
  }

  traitsOf(person: PersonKey): StampedTraits {
    return decodeTraits(this.statements.traits.get({ row: person })?.traits ?? noTraits)
  }

  keepTraits(person: PersonKey, traits: StampedTraits): void {
    this.statements.keepTraits.run({ row: person, traits: encodeTraits(traits) })
  }

  noteTraits(device: DeviceKey, traits: JsonObject, { at, id }: Receipt): void {
    this.statements.noteTraits.run({
      deviceRow: device,
      receivedAt: at,
      entryId: id,
      traits: JSON.stringify(traits),
    })
  }

  tie(device: DeviceKey, person: PersonKey, { at, id }: Receipt): void {
    this.statements.tie.run({ deviceRow: device, receivedAt: at, entryId: id, personRow: person })
  }
}

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  return {
    find: db
      .select({ row: person.row })
      .from(person)
      .where(
        and(
          eq(person.accountRow, value('accountRow')),
          eq(person.emailMark, value('mark')),
          eq(person.email, value('email')),
        ),
      )
      .prepare(),
    make: db
      .insert(person)
      .values({
        accountRow: value('accountRow'),
        id: value('id'),
        email: value('email'),
        emailMark: value('mark'),
        traits: noTraits,
      })
      .returning({ row: person.row })
      .prepare(),
    traits: db
      .select({ traits: person.traits })
      .from(person)
      .where(eq(person.row, value('row')))
      .prepare(),
    keepTraits: db
      .update(person)
      .set({ traits: sql`${value('traits')}` })
      .where(eq(person.row, value('row')))
      .prepare(),
    noteTraits: db
      .insert(deviceTraits)
      .values({
        deviceRow: value('deviceRow'),
        receivedAt: value('receivedAt'),
        entryId: value('entryId'),
        traits: value('traits'),
      })
      .onConflictDoNothing()
      .prepare(),
    tie: db
      .insert(deviceTie)
      .values({
        deviceRow: value('deviceRow'),
        receivedAt: value('receivedAt'),
        entryId: value('entryId'),
        personRow: value('personRow'),
      })
      .onConflictDoNothing()
      .prepare(),
  }
}
