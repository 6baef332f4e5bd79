import type { Database } from 'bun:sqlite'
import { isDirect } from '../../../processing/attribution/touch.ts'
import type { LastTouchQuery, RecordedTouch, Touches } from '../../../processing/attribution/touches.ts'
import type { DeviceKey } from '../../../processing/devices.ts'
import { answersOf, forEachKey, keyPart, manyKeys, position, wholeKey } from '../lookup/many-keys.ts'
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

  first(asked: DeviceKey[]): (RecordedTouch | null)[] {
    return answersOf(asked, this.statements.first(asked), recordedTouch)
  }

  last(asked: LastTouchQuery[]): (RecordedTouch | null)[] {
    const keys = asked.map(({ device, upTo }) => [device, upTo.at, upTo.id])
    return answersOf(asked, this.statements.last(keys), recordedTouch)
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
  position: number
  at: number
  id: string
  touch: string
}

const recordedTouch = ({ at, id, touch }: TouchRow): RecordedTouch => ({
  receipt: { at, id },
  touch: JSON.parse(touch),
})

function prepareStatements(raw: Database) {
  const columns = `${position}, received_at AS at, entry_id AS id, touch`
  return {
    first: manyKeys<TouchRow>(
      raw,
      `SELECT ${columns} ${forEachKey('touch')} ON device_row = ${wholeKey} AND (received_at, entry_id) = (
         SELECT received_at, entry_id FROM touch WHERE device_row = ${wholeKey}
         ORDER BY received_at, entry_id LIMIT 1)`,
    ),
    // A row comparison searches the key and reads nothing later; `or` would go through all touches of the device.
    last: manyKeys<TouchRow>(
      raw,
      `SELECT ${columns} ${forEachKey('touch')} ON device_row = ${keyPart(0)} AND (received_at, entry_id) = (
         SELECT received_at, entry_id FROM touch
         WHERE device_row = ${keyPart(0)}
           AND (received_at, entry_id) <= (${keyPart(1)}, ${keyPart(2)}) AND is_direct = 0
         ORDER BY received_at DESC, entry_id DESC LIMIT 1)`,
    ),
    add: new BulkInsert(raw, 'touch (device_row, received_at, entry_id, is_direct, touch)', 'ON CONFLICT DO NOTHING'),
  }
}
