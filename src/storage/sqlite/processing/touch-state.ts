import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { isDirect, type Touch } from '../../../processing/attribution/touch.ts'
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
    this.statements.add.run({ deviceRow: device, receivedAt: at, entryId: id, isDirect: isDirect(told), touch: told })
  }

  hasEarlier(device: DeviceKey, { at, id }: Receipt): boolean {
    return this.statements.earlier.get({ deviceRow: device, at, id }) !== undefined
  }

  upTo(device: DeviceKey, { at, id }: Receipt): { first: Touch | null; last: Touch | null } {
    const first = this.statements.first.get({ deviceRow: device, at, id })?.touch ?? null
    const last = this.statements.last.get({ deviceRow: device, at, id })?.touch ?? first
    return { first, last }
  }
}

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  // Compared as a row, the key is searched and nothing later is read; `or` would go through all touches of the device.
  const place = sql`(${touch.receivedAt}, ${touch.entryId})`
  const ofDevice = eq(touch.deviceRow, value('deviceRow'))
  const upTo = and(ofDevice, sql`${place} <= (${value('at')}, ${value('id')})`)
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
    earlier: db
      .select({ at: touch.receivedAt })
      .from(touch)
      .where(and(ofDevice, sql`${place} < (${value('at')}, ${value('id')})`))
      .limit(1)
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
