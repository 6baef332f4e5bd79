import { and, eq, sql } from 'drizzle-orm'
import type { Device, DeviceKey, DeviceState } from '../../../processing/device-state.ts'
import type { Connection } from '../connection.ts'
import type { EntryUnderWay } from './entry-under-way.ts'
import { device, deviceEntry } from './schema.ts'

/** Devices of a step, read once and written once at its end. */
export class SqliteDeviceState implements DeviceState {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly known = new Map<string, Device>()
  private readonly changed = new Set<Device>()

  constructor(
    connection: Connection,
    private readonly underWay: EntryUnderWay,
  ) {
    this.statements = prepareStatements(connection)
  }

  named(accountId: string, deviceId: string): Device {
    const name = accountId + deviceId
    const known = this.known.get(name) ?? this.readOrMake(deviceId)
    this.known.set(name, known)
    return known
  }

  save(device: Device): void {
    this.changed.add(device)
  }

  noteEntry(device: Device, { day, counted }: { day: number; counted: number }): void {
    const { sequence, kind, receivedAt } = this.underWay
    this.statements.note.run({ deviceRow: device.key, sequence, kind, receivedAt, day, counted })
  }

  flush(): void {
    for (const { key, hitAt, viewDay, page, awaitsLifeSince } of this.changed) {
      this.statements.save.run({
        row: key,
        hitAt,
        viewDay,
        pageAt: page?.at ?? null,
        pageSlug: page?.slug ?? null,
        pageSha256: page?.sha256 ?? null,
        awaitsLifeSince,
      })
    }
    this.forget()
  }

  forget(): void {
    this.changed.clear()
    this.known.clear()
  }

  private readOrMake(id: string): Device {
    const { accountRow } = this.underWay
    const found = this.statements.find.get({ accountRow, id })
    if (!found) {
      const [made] = this.statements.make.all({ accountRow, id })
      return { key: made?.row as DeviceKey, hitAt: null, viewDay: null, page: null, awaitsLifeSince: null }
    }
    const { row, hitAt, viewDay, pageAt, pageSlug, pageSha256, awaitsLifeSince } = found
    const served = pageAt !== null && pageSlug !== null && pageSha256 !== null
    return {
      key: row as DeviceKey,
      hitAt,
      viewDay,
      page: served ? { at: pageAt, slug: pageSlug, sha256: pageSha256 } : null,
      awaitsLifeSince,
    }
  }
}

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  return {
    find: db
      .select()
      .from(device)
      .where(and(eq(device.accountRow, value('accountRow')), eq(device.id, value('id'))))
      .prepare(),
    make: db
      .insert(device)
      .values({ accountRow: value('accountRow'), id: value('id') })
      .returning({ row: device.row })
      .prepare(),
    save: db
      .update(device)
      .set({
        hitAt: sql`${value('hitAt')}`,
        viewDay: sql`${value('viewDay')}`,
        pageAt: sql`${value('pageAt')}`,
        pageSlug: sql`${value('pageSlug')}`,
        pageSha256: sql`${value('pageSha256')}`,
        awaitsLifeSince: sql`${value('awaitsLifeSince')}`,
      })
      .where(eq(device.row, value('row')))
      .prepare(),
    note: db
      .insert(deviceEntry)
      .values({
        deviceRow: value('deviceRow'),
        receivedAt: value('receivedAt'),
        sequence: value('sequence'),
        kind: value('kind'),
        day: value('day'),
        counted: value('counted'),
      })
      .prepare(),
  }
}
