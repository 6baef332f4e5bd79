import type { Database } from 'bun:sqlite'
import type { ErasureEntry } from '../../../ledger/decision.ts'
import { allErasures } from '../forgetting/erasure-entries.ts'

/**
 * What a database of any version says about erasures; `null`: its version did not keep them yet.
 *
 * The first versions kept them in tables beside the ledger. A restore may meet such a database before its migration.
 */
export function erasuresElsewhere(raw: Database): ErasureEntry[] | null {
  if (has(raw, 'table', 'erased_record')) return erasuresInTables(raw)
  return has(raw, 'index', 'ledger_release_by_id') ? allErasures(raw) : null
}

const has = (raw: Database, type: 'table' | 'index', name: string): boolean =>
  raw
    .query<object, [string, string]>('SELECT 1 FROM main.sqlite_schema WHERE type = ? AND name = ?')
    .get(type, name) !== null

interface ErasureRow {
  row: number
  id: string
  accountId: string
  personId: string | null
  begunAt: number
  endedAt: number | null
}

function erasuresInTables(raw: Database): ErasureEntry[] {
  const records = raw.query<{ id: string }, [number]>(
    'SELECT record_id AS id FROM erased_record WHERE erasure_row = ? ORDER BY sequence',
  )
  return raw
    .query<ErasureRow, []>(
      `SELECT row, id, account_id AS accountId, person_id AS personId, begun_at AS begunAt, ended_at AS endedAt
       FROM erasure ORDER BY row`,
    )
    .all()
    .map(({ row, id, accountId, personId, begunAt, endedAt }) => ({
      kind: 'erasure',
      id,
      accountId,
      receivedAt: endedAt ?? begunAt,
      erasureId: id,
      personId,
      records: records.all(row).map((record) => record.id),
      isEnd: endedAt !== null,
    }))
}

/** Entries that another ledger does not know completely. */
export function unknownErasures(there: readonly ErasureEntry[], here: readonly ErasureEntry[]): ErasureEntry[] {
  const known = new Set(here.flatMap(partsOf))
  return there.filter((entry) => partsOf(entry).some((part) => !known.has(part)))
}

/** An erasure that an older backup holds half done has not ended there. */
const partsOf = ({ erasureId, records, isEnd }: ErasureEntry): string[] => [
  ...records.map((id) => `${erasureId} ${id}`),
  ...(isEnd ? [`${erasureId} end`] : []),
]
