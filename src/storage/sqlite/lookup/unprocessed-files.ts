import type { Connection } from '../database/connection.ts'

/** A record that is no longer JSON names nothing, and fails no statement. `kind = 1`: submissions (ledger-codec.ts). */
export const filesOf = (where: string): string => `SELECT file.value ->> 'sha256' AS sha256
  FROM (SELECT record FROM ledger WHERE kind = 1 AND ${where}),
    json_each(CASE WHEN json_valid(record) THEN record ELSE '{}' END, '$.files') file`

/** Contents of visitors' files in submissions that processing has not come to, or has set aside: `submission_file` lacks them. */
export const unprocessedFiles = `${filesOf('sequence > (SELECT cursor FROM processing)')}
  UNION ALL ${filesOf('sequence IN (SELECT sequence FROM set_aside)')}`

/** As many are read under the write lock in some milliseconds. */
const readMax = 2000

/** Whether so many records wait to be processed, such as while a ledger is processed anew, that nobody should read their files. */
export const hasMuchUnprocessed = ({ raw }: Pick<Connection, 'raw'>): boolean =>
  (raw
    .query<{ waiting: number | null }, []>(
      'SELECT (SELECT max(sequence) FROM ledger) - (SELECT cursor FROM processing) AS waiting',
    )
    .get()?.waiting ?? 0) > readMax
