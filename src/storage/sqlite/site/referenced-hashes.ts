import type { Connection } from '../database/connection.ts'
import { pagesAfter } from '../lookup/pages.ts'

/** Hashes read at a time. */
const pageRows = 500

/**
 * Every hash to which a kept version on this box refers, or a kept folder, or a submission whose device was served that
 * page; ascending, unique, read page by page.
 */
export function* referencedHashes({ raw }: Pick<Connection, 'raw'>): Generator<string> {
  const page = raw.query<{ sha256: string }, [string]>(
    `SELECT sha256 FROM asset_version WHERE sha256 > ?1
     UNION
     SELECT sha256 FROM kept_file WHERE sha256 > ?1
     UNION
     SELECT page_sha256 FROM submission_fact WHERE page_sha256 > ?1
     ORDER BY sha256 LIMIT ${pageRows}`,
  )
  for (const rows of pagesAfter('', (after) => page.all(after), hashOf)) yield* rows.map(hashOf)
}

const hashOf = ({ sha256 }: { sha256: string }): string => sha256
