import { sql } from 'drizzle-orm'
import type { ClickFact, ClickState } from '../../../processing/clicks/click-state.ts'
import type { Connection } from '../connection.ts'
import type { EntryUnderWay } from './entry-under-way.ts'
import { clickFact } from './schema.ts'

export class SqliteClickState implements ClickState {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly underWay: EntryUnderWay,
  ) {
    this.statements = prepareStatements(connection)
  }

  add(_accountId: string, { device, ...click }: ClickFact): void {
    const { sequence, accountRow } = this.underWay
    this.statements.add.run({ sequence, accountRow, deviceRow: device, ...click })
  }
}

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  return {
    add: db
      .insert(clickFact)
      .values({
        sequence: value('sequence'),
        accountRow: value('accountRow'),
        deviceRow: value('deviceRow'),
        receivedAt: value('receivedAt'),
        day: value('day'),
        message: value('message'),
        recipient: value('recipient'),
        url: value('url'),
        burstGroup: value('burstGroup'),
        agent: value('agent'),
        verdict: value('verdict'),
        reasons: value('reasons'),
        lifeAt: value('lifeAt'),
      })
      .prepare(),
  }
}
