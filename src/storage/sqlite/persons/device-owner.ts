/**
 * The owner of a device at a receipt, an expression for the person's row. A device belongs to the person of its latest
 * tie up to the receipt, and before its first tie to that tie's person; `NULL`: nobody.
 */
export const deviceOwner = ({ deviceRow, at, id }: { deviceRow: string; at: string; id: string }): string => `coalesce(
    (SELECT person_row FROM device_tie
     WHERE device_row = ${deviceRow} AND (received_at, entry_id) <= (${at}, ${id})
     ORDER BY received_at DESC, entry_id DESC LIMIT 1),
    (SELECT person_row FROM device_tie
     WHERE device_row = ${deviceRow}
     ORDER BY received_at, entry_id LIMIT 1))`
