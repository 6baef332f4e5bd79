import type { StoredLedgerRow } from '../../../backup/format/increment-lines.ts'
import type { Link } from '../../../cluster/cluster-log.ts'
import { LinkOutOfOrder, TwoHistories } from '../../../cluster/replica.ts'
import { lastPosition } from '../backup/database-copies.ts'
import type { Connection } from '../database/connection.ts'
import { ReceiptHours } from '../ledger/receipt-hours.ts'
import { numberedWrites, readRow } from '../lookup/numbered-rows.ts'
import { linkedTables } from '../schema/tables.ts'
import type { LinkLine } from './link-body.ts'
import { knownPosition, moveTo } from './position.ts'

/** Whether a link is the next. `false`: the folder contains it. @throws LinkOutOfOrder, TwoHistories */
export function isNext({ raw }: Connection, link: Link, schema: number): boolean {
  const { place } = knownPosition(raw)
  const { number, id, previous } = link
  if (place !== null && (number < place.number || id === place.id)) return false
  if (number === place?.number) throw new TwoHistories(`The chain has another link ${number}.`)
  if (number !== (place?.number ?? 0) + 1) throw new LinkOutOfOrder(`Link ${number} is not the next.`)
  if (previous !== (place?.id ?? null)) throw new TwoHistories(`Link ${number} follows another.`)
  if (link.schema !== schema) throw new LinkOutOfOrder(`Link ${number} is for another schema.`)
  return true
}

/** Call in a transaction, without checks of references. */
export function putLink(
  connection: Connection,
  lines: readonly LinkLine[],
  { link, oldTo }: { link: Link; oldTo: number | null },
) {
  const { raw } = connection
  const writes = numberedWrites(raw)
  // All of them first: rows may have swapped what is unique of them.
  for (const line of lines) if ('rows' in line) writes.remove(linked(line.table), line.first, line.last)
  const hours = new ReceiptHours(connection)
  for (const line of lines) {
    if ('rows' in line) for (const row of line.rows) writes.put(line.table, line.columns, readRow(row))
    else if ('ledger' in line) for (const row of line.ledger) putEntry(connection, row, hours)
    else {
      raw.query('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(line.to, 'ledger')
      raw.run('UPDATE cluster_position SET linked_to = max(linked_to, ?)', [line.to])
    }
  }
  // Each node makes by itself what else was written here.
  raw.run('DELETE FROM cluster_changed')
  const take = raw.query<null, [string, number, number]>(
    `INSERT INTO intake_taken (batch, at_link, first_sequence, last_sequence, is_linked) VALUES (?1, ?2, ?3, ?3, 1)
     ON CONFLICT DO UPDATE SET is_linked = 1, counts = NULL`,
  )
  for (const batch of link.taken) take.run(batch, link.number, lastPosition(raw))
  moveTo(raw, link, oldTo)
}

function linked(table: string): string {
  if (!linkedTables.includes(table)) throw new TypeError(`a link has rows of ${table}`)
  return table
}

/** A copy that was joined from may hold it already. @throws TwoHistories */
function putEntry({ raw }: Connection, row: StoredLedgerRow, hours: ReceiptHours): void {
  const { changes } = raw
    .query<null, StoredLedgerRow>(
      `INSERT OR IGNORE INTO ledger (sequence, account_row, kind, id, received_at, record, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(...row)
  const [sequence, , , id, receivedAt] = row
  if (changes > 0) {
    hours.noteInserted(receivedAt)
    return
  }
  const there = raw.query<{ id: string }, [number]>('SELECT id FROM ledger WHERE sequence = ?').get(sequence)
  if (there?.id !== id) throw new TwoHistories(`The folder has another entry ${sequence}.`)
}
