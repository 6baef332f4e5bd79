import type { Database } from 'bun:sqlite'
import { isDirect } from '../../../processing/attribution/touch.ts'
import type { RecordedTouch, Touches } from '../../../processing/attribution/touches.ts'
import type { DeviceKey } from '../../../processing/devices.ts'
import type { Receipt } from '../../../processing/ledger-item.ts'
import { BulkInsert } from './bulk-insert.ts'
import type { StoredKeys } from './stored-keys.ts'

/** The table `touch`. */
export class TouchRows {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    raw: Database,
    private readonly devices: Pick<StoredKeys, 'rowOf'>,
  ) {
    this.statements = prepareStatements(raw)
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
  touch: JSON.parse(touch),
})

function prepareStatements(raw: Database) {
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
