/** A record that is no longer JSON names nothing, and fails no statement. `kind = 1`: submissions (ledger-codec.ts). */
const filesOf = (where: string): string => `SELECT file.value ->> 'sha256' AS sha256
  FROM (SELECT record FROM ledger WHERE kind = 1 AND ${where}),
    json_each(CASE WHEN json_valid(record) THEN record ELSE '{}' END, '$.files') file`

/** Contents of visitors' files in submissions that processing has not come to, or has set aside: `submission_file` lacks them. */
export const unprocessedFiles = `${filesOf('sequence > (SELECT cursor FROM processing)')}
  UNION ALL ${filesOf('sequence IN (SELECT sequence FROM set_aside)')}`
