/** The keys themselves: `?1`, a JSON array. */
export const eachKey = 'FROM json_each(?1) asked'

/**
 * A table's rows for each key. `CROSS JOIN` fixes the order: SQLite would rather scan the table and look each row's key
 * up.
 */
export const forEachKey = (table: string): string => `${eachKey} CROSS JOIN ${table}`

/** Another table's rows for each row found. */
export const andThen = (table: string): string => `CROSS JOIN ${table}`

/** The key of a row, if it is a single value. */
export const wholeKey = 'asked.value'

/** A part of a row's key, if keys are arrays; the first is 0. */
export const keyPart = (part: number): string => `asked.value ->> ${part}`

/** Whether the key has parts: `null` keys are skipped. */
export const isListKey = "asked.type = 'array'"

/** A column: the position of the key that a row answers. */
export const position = 'asked.key AS position'

/** Parts of an interval as `intervalsJson` writes it. */
const [deviceRow, fromAt, fromId, untilAt, untilId] = [0, 1, 2, 3, 4].map((part) => `held.value ->> ${part}`)

/**
 * Rows of devices within the intervals `?1`, for a table ordered by device and receipt. `CROSS JOIN` fixes the order:
 * SQLite would rather scan the table.
 */
export const rowsWithin = (
  table: string,
): string => `FROM json_each(?1) held CROSS JOIN ${table} ON device_row = ${deviceRow}
    AND (received_at, entry_id) >= (${fromAt}, ${fromId})
    AND (received_at, entry_id) < (${untilAt}, ${untilId})`

/**
 * The same for `device_entry entry`, which has no ids: the id is looked up only for entries of an interval's first or
 * last millisecond. Conditions may be appended.
 */
export const entriesWithin = `FROM json_each(?1) held
  CROSS JOIN device_entry entry ON entry.device_row = ${deviceRow}
    AND entry.received_at BETWEEN ${fromAt} AND ${untilAt}
  WHERE (entry.received_at > ${fromAt}
      OR (SELECT id FROM ledger WHERE sequence = entry.sequence) >= ${fromId})
    AND (entry.received_at < ${untilAt}
      OR (SELECT id FROM ledger WHERE sequence = entry.sequence) < ${untilId})`
