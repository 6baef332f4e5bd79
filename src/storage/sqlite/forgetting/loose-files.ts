import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { hasMuchUnprocessed } from '../lookup/unprocessed-files.ts'
import { contentsPerStep, unreferenced } from '../site/referenced-hashes.ts'

/**
 * Removes contents of records that were removed, unless another record has the same: some of them, within a millisecond or two.
 * Returns whether there may be more.
 */
export function releaseLooseStep(connection: Connection, remove: (sha256: string) => void): 'more' | 'done' {
  const { raw } = connection
  const loose = raw.query<{ sha256: string }, []>(`SELECT sha256 FROM loose_file LIMIT ${contentsPerStep}`)
  const hashes = loose.all().map(({ sha256 }) => sha256)
  if (hashes.length === 0 || hasMuchUnprocessed(connection)) return 'done'
  const forget = raw.query<null, [string]>('DELETE FROM loose_file WHERE sha256 IN (SELECT value FROM json_each(?))')
  // In one: a record that is removed meanwhile would note its content before the note is deleted.
  writeTransaction(connection, () => {
    for (const sha256 of unreferenced(connection, hashes)) remove(sha256)
    forget.run(JSON.stringify(hashes))
  })
  return 'more'
}
