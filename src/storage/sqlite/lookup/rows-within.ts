/** Parts of an interval, as `intervalsJson` writes it. */
const [deviceRow, fromAt, fromId, untilAt, untilId] = [0, 1, 2, 3, 4].map((part) => `held.value ->> ${part}`)

/**
 * The rows that devices have within the intervals `?1`, of a table that is ordered by device and receipt. `CROSS JOIN` keeps the
 * order: SQLite would rather go through the table.
 */
export const rowsWithin = (
  table: string,
): string => `FROM json_each(?1) held CROSS JOIN ${table} ON device_row = ${deviceRow}
    AND (received_at, entry_id) >= (${fromAt}, ${fromId})
    AND (received_at, entry_id) < (${untilAt}, ${untilId})`

/**
 * The same of `device_entry entry`, which has no ids: only of the entries that came in the millisecond of an end is the id
 * looked up. More conditions may follow.
 */
export const entriesWithin = `FROM json_each(?1) held
  CROSS JOIN device_entry entry ON entry.device_row = ${deviceRow}
    AND entry.received_at BETWEEN ${fromAt} AND ${untilAt}
  WHERE (entry.received_at > ${fromAt}
      OR (SELECT id FROM ledger WHERE sequence = entry.sequence) >= ${fromId})
    AND (entry.received_at < ${untilAt}
      OR (SELECT id FROM ledger WHERE sequence = entry.sequence) < ${untilId})`
