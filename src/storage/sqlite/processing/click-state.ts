import { and, asc, desc, eq, gt, gte, isNull, lte, sql } from 'drizzle-orm'
import type { Click } from '../../../ledger/entry.ts'
import type { ClickFact, ClickKey, ClickState, StoredClick } from '../../../processing/clicks/click-state.ts'
import type { DeviceKey } from '../../../processing/device-state.ts'
import type { Connection } from '../connection.ts'
import { decodedRows } from '../ledger-codec.ts'
import { ledger } from '../schema.ts'
import type { EntryUnderWay } from './entry-under-way.ts'
import { clickFact } from './fact-schema.ts'

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

  save({ key, verdict, reasons, lifeAt }: StoredClick): void {
    this.statements.save.run({ sequence: key, verdict, reasons: JSON.stringify(reasons), lifeAt })
  }

  around(burstGroup: string, { at, withinMs, limit }: { at: number; withinMs: number; limit: number }): StoredClick[] {
    const near = { accountRow: this.underWay.accountRow, burstGroup, at, limit }
    const before = this.statements.before.all({ ...near, from: at - withinMs })
    const after = this.statements.after.all({ ...near, to: at + withinMs })
    return [...before, ...after].map(storedClick)
  }

  awaitingLife(device: DeviceKey, since: number, limit: number): StoredClick[] {
    return this.statements.awaitingLife.all({ deviceRow: device, since, limit }).map(storedClick)
  }

  captured(accountId: string, key: ClickKey): Click | null {
    const row = this.statements.captured.get({ sequence: key })
    // One that cannot be read any more is no reason to set the entry aside that is under way.
    const [read] = decodedRows(row === undefined ? [] : [row], { accountId, onUnreadable: () => {} })
    return read?.entry.kind === 'click' ? read.entry : null
  }

  /** The account's clicks behind the one given, in the order in which they were captured. */
  listAfter(key: ClickKey, limit: number): StoredClick[] {
    return this.statements.listAfter
      .all({ accountRow: this.underWay.accountRow, sequence: key, limit })
      .map(storedClick)
  }
}

const storedClick = ({ sequence, deviceRow, ...row }: typeof clickFact.$inferSelect): StoredClick => ({
  ...row,
  key: sequence as ClickKey,
  device: deviceRow as DeviceKey,
})

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  const ofGroup = and(eq(clickFact.accountRow, value('accountRow')), eq(clickFact.burstGroup, value('burstGroup')))
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
    save: db
      .update(clickFact)
      .set({
        verdict: sql`${value('verdict')}`,
        reasons: sql`${value('reasons')}`,
        lifeAt: sql`${value('lifeAt')}`,
      })
      .where(eq(clickFact.sequence, value('sequence')))
      .prepare(),
    before: db
      .select()
      .from(clickFact)
      .where(and(ofGroup, gte(clickFact.receivedAt, value('from')), lte(clickFact.receivedAt, value('at'))))
      .orderBy(desc(clickFact.receivedAt))
      .limit(value('limit'))
      .prepare(),
    after: db
      .select()
      .from(clickFact)
      .where(and(ofGroup, gt(clickFact.receivedAt, value('at')), lte(clickFact.receivedAt, value('to'))))
      .orderBy(asc(clickFact.receivedAt))
      .limit(value('limit'))
      .prepare(),
    awaitingLife: db
      .select()
      .from(clickFact)
      .where(
        and(
          eq(clickFact.deviceRow, value('deviceRow')),
          gte(clickFact.receivedAt, value('since')),
          isNull(clickFact.lifeAt),
        ),
      )
      .orderBy(desc(clickFact.receivedAt))
      .limit(value('limit'))
      .prepare(),
    captured: db
      .select()
      .from(ledger)
      .where(eq(ledger.sequence, value('sequence')))
      .prepare(),
    listAfter: db
      .select()
      .from(clickFact)
      .where(and(eq(clickFact.accountRow, value('accountRow')), gt(clickFact.sequence, value('sequence'))))
      .orderBy(asc(clickFact.sequence))
      .limit(value('limit'))
      .prepare(),
  }
}
