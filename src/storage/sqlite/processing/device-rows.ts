import type { Database } from 'bun:sqlite'
import { isDirect } from '../../../processing/attribution/touch.ts'
import type { RecordedTouch, Touches } from '../../../processing/attribution/touches.ts'
import type { ShownVersion } from '../../../processing/attribution/versions.ts'
import type { Device, DeviceKey, DeviceName, Devices, PageQuery, ServedPage } from '../../../processing/devices.ts'
import type { Channel } from '../../../processing/figures/channel.ts'
import type { Receipt } from '../../../processing/ledger-item.ts'
import { storedJson } from '../database/damage.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/ledger-tree.ts'
import { BulkInsert, StoredKeys, type Values } from './bulk-insert.ts'
import type { RowOfAccount } from './processed-accounts.ts'

export class DeviceRows {
  readonly keys: StoredKeys
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
  ) {
    this.keys = new StoredKeys(raw, 'device')
    this.statements = prepareStatements(raw)
  }

  named({ accountId, id }: DeviceName): Device | null {
    const row = this.statements.named.get(this.rowOfAccount(accountId), id)
    return row && deviceOf(row)
  }

  pageServed({ device, at }: PageQuery): ServedPage | null {
    const row = this.statements.page.get(device, at)
    return row && pageOf(row)
  }

  keep({ made, changed, entries }: Pick<Devices, 'made' | 'changed' | 'entries'>): void {
    this.keys.begin()
    const { statements, keys } = this
    statements.make.run(
      made.map(({ accountId, id, device }) => [
        keys.rowOf(device.key),
        this.rowOfAccount(accountId),
        id,
        ...changeable(device),
      ]),
    )
    for (const device of changed) statements.save.run(...changeable(device), device.key)
    statements.note.run(
      entries.map(({ device, key, entry, day, counted, channel }) => [
        keys.rowOf(device),
        entry.receivedAt,
        key,
        entryKinds[entry.kind],
        day,
        counted,
        channelColumn(channel),
      ]),
    )
  }
}

export interface PageColumns {
  pageAt: number | null
  pageSlug: string | null
  pageSha256: string | null
}

export const channelColumn = (channel: Channel | null): string | null => channel && JSON.stringify(channel)
export const storedChannel = (column: string | null): Channel | null => (column === null ? null : storedJson(column))

interface DeviceRow extends PageColumns, VersionsColumn {
  row: DeviceKey
  hitAt: number | null
  visitAt: number | null
  channel: string | null
  viewDay: number | null
  awaitsLifeSince: number | null
}

const deviceOf = ({
  row: key,
  hitAt,
  visitAt,
  channel,
  viewDay,
  awaitsLifeSince,
  versions,
  ...page
}: DeviceRow): Device => ({
  key,
  hitAt,
  visitAt,
  channel: storedChannel(channel),
  viewDay,
  page: pageOf(page),
  versions: versionsOf({ versions }),
  awaitsLifeSince,
})

export const pageOf = ({ pageAt, pageSlug, pageSha256 }: PageColumns): ServedPage | null =>
  pageAt === null || pageSlug === null || pageSha256 === null
    ? null
    : { at: pageAt, slug: pageSlug, sha256: pageSha256 }

export const pageColumns = (page: ServedPage | null): Values => [
  page?.at ?? null,
  page?.slug ?? null,
  page?.sha256 ?? null,
]

export interface VersionsColumn {
  /** As JSON; `null`: none, as of most. */
  versions: string | null
}

export const versionsOf = ({ versions }: VersionsColumn): readonly ShownVersion[] =>
  versions === null ? [] : storedJson(versions)

export const versionsColumn = (versions: readonly ShownVersion[]): string | null =>
  versions.length === 0 ? null : JSON.stringify(versions)

const changeable = ({ hitAt, visitAt, channel, viewDay, page, versions, awaitsLifeSince }: Device): Values => [
  hitAt,
  visitAt,
  channelColumn(channel),
  viewDay,
  ...pageColumns(page),
  versionsColumn(versions),
  awaitsLifeSince,
]

function prepareStatements(raw: Database) {
  return {
    named: raw.query<DeviceRow, [number, string]>(
      `SELECT row, hit_at AS hitAt, visit_at AS visitAt, channel, view_day AS viewDay, page_at AS pageAt,
         page_slug AS pageSlug, page_sha256 AS pageSha256, versions, awaits_life_since AS awaitsLifeSince
       FROM device WHERE account_row = ? AND id = ?`,
    ),
    page: raw.query<PageColumns, [number, number]>(
      `SELECT received_at AS pageAt, ${recordField('slug')} AS pageSlug, ${recordField('sha256')} AS pageSha256
       FROM ledger WHERE sequence = (
         SELECT sequence FROM device_entry WHERE device_row = ? AND received_at <= ? AND kind = ${entryKinds.page_view}
         ORDER BY received_at DESC, sequence DESC LIMIT 1)`,
    ),
    make: new BulkInsert(
      raw,
      `device (row, account_row, id, hit_at, visit_at, channel, view_day, page_at, page_slug, page_sha256, versions, awaits_life_since)`,
    ),
    save: raw.query(
      `UPDATE device SET hit_at = ?, visit_at = ?, channel = ?, view_day = ?, page_at = ?, page_slug = ?, page_sha256 = ?,
         versions = ?, awaits_life_since = ? WHERE row = ?`,
    ),
    note: new BulkInsert(raw, 'device_entry (device_row, received_at, sequence, kind, day, counted, channel)'),
  }
}

export class TouchRows {
  private readonly statements: ReturnType<typeof prepareTouches>

  constructor(
    raw: Database,
    private readonly devices: Pick<StoredKeys, 'rowOf'>,
  ) {
    this.statements = prepareTouches(raw)
  }

  first(device: DeviceKey): RecordedTouch | null {
    const row = this.statements.first.get(device)
    return row && recordedTouch(row)
  }

  last(device: DeviceKey, { at, id }: Receipt): RecordedTouch | null {
    const row = this.statements.last.get(device, at, id)
    return row && recordedTouch(row)
  }

  keep({ added }: Pick<Touches, 'added'>): void {
    this.statements.add.run(
      added.map(({ device, touch, receipt }) => [
        this.devices.rowOf(device),
        receipt.at,
        receipt.id,
        isDirect(touch),
        JSON.stringify(touch),
      ]),
    )
  }
}

interface TouchRow {
  at: number
  id: string
  touch: string
}

const recordedTouch = ({ at, id, touch }: TouchRow): RecordedTouch => ({
  receipt: { at, id },
  touch: storedJson(touch),
})

function prepareTouches(raw: Database) {
  const touches = 'SELECT received_at AS at, entry_id AS id, touch FROM touch WHERE device_row = ?'
  return {
    first: raw.query<TouchRow, [number]>(`${touches} ORDER BY received_at, entry_id LIMIT 1`),
    // A row comparison searches the key and reads nothing later; `or` would go through all touches of the device.
    last: raw.query<TouchRow, [number, number, string]>(
      `${touches} AND (received_at, entry_id) <= (?, ?) AND is_direct = 0 ORDER BY received_at DESC, entry_id DESC LIMIT 1`,
    ),
    add: new BulkInsert(raw, 'touch (device_row, received_at, entry_id, is_direct, touch)', 'ON CONFLICT DO NOTHING'),
  }
}
