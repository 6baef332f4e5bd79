import { and, asc, desc, eq, lt, lte, or, sql } from 'drizzle-orm'
import type { Touch } from '../../../processing/attribution/touch.ts'
import type { TouchState } from '../../../processing/attribution/touch-state.ts'
import type { DeviceKey } from '../../../processing/device-state.ts'
import type { Receipt } from '../../../processing/receipt.ts'
import type { Connection } from '../connection.ts'
import { touch } from './schema.ts'

export class SqliteTouchState implements TouchState {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Connection) {
    this.statements = prepareStatements(connection)
  }

  add(device: DeviceKey, told: Touch, { at, id }: Receipt): void {
    const isDirect = told.source === 'direct'
    this.statements.add.run({ deviceRow: device, receivedAt: at, entryId: id, isDirect, touch: told })
  }

  hasEarlier(device: DeviceKey, { at, id }: Receipt): boolean {
    return this.statements.first.get({ deviceRow: device, at, id }) !== undefined
  }

  upTo(device: DeviceKey, { at, id }: Receipt): { first: Touch | null; last: Touch | null } {
    const first = this.statements.first.get({ deviceRow: device, at, id })?.touch ?? null
    const last = this.statements.last.get({ deviceRow: device, at, id })?.touch ?? first
    return { first, last }
  }
}

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  const upTo = and(
    eq(touch.deviceRow, value('deviceRow')),
    or(lt(touch.receivedAt, value('at')), and(eq(touch.receivedAt, value('at')), lte(touch.entryId, value('id')))),
  )
  return {
    add: db
      .insert(touch)
      .values({
        deviceRow: value('deviceRow'),
        receivedAt: value('receivedAt'),
        entryId: value('entryId'),
        isDirect: value('isDirect'),
        touch: value('touch'),
      })
      .onConflictDoNothing()
      .prepare(),
    first: db
      .select({ touch: touch.touch })
      .from(touch)
      .where(upTo)
      .orderBy(asc(touch.receivedAt), asc(touch.entryId))
      .limit(1)
      .prepare(),
    last: db
      .select({ touch: touch.touch })
      .from(touch)
      .where(and(upTo, eq(touch.isDirect, false)))
      .orderBy(desc(touch.receivedAt), desc(touch.entryId))
      .limit(1)
      .prepare(),
  }
}
