import { Database } from 'bun:sqlite'
import type { UndoneRemovals, UnrestoredRecords } from '../../../operations/backup/restore-ports.ts'
import { ledgerKinds } from '../ledger/decision-codec.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'

/**
 * Compares the database that is to be moved aside with the one that takes its place. The first is only read, and what it
 * is asked for stands in it since the first version, so that a newer one can be asked too.
 *
 * @throws when it is damaged, or holds nothing of the kind
 */
export function compareWithRestored(
  present: string,
  restored: string,
): { leftBehind: UnrestoredRecords; undone: UndoneRemovals } {
  const raw = new Database(present, { readonly: true, strict: true })
  try {
    raw.run('PRAGMA trusted_schema = 0')
    raw.run('ATTACH ? AS restored', [restored])
    return { leftBehind: findLeftBehind(raw), undone: findUndone(raw) }
  } finally {
    raw.close()
  }
}

/** In every copy of a ledger a record has the same sequence, and after a restore the sequence may be another record's. */
const unknownRecordsQuery = `
  SELECT kind, count(*) AS count FROM main.ledger there
  WHERE NOT EXISTS (SELECT 1 FROM restored.ledger here WHERE here.sequence = there.sequence AND here.id = there.id)
  GROUP BY kind`

const unknownAccountsQuery = `
  SELECT handle FROM main.account there WHERE removed_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM restored.account here WHERE here.id = there.id AND here.removed_at IS NULL)
  ORDER BY handle`

function findLeftBehind(raw: Database): UnrestoredRecords {
  const rows = raw.query<{ kind: number; count: number }, []>(unknownRecordsQuery).all()
  const counts = new Map(rows.map(({ kind, count }) => [kind, count]))
  const known = {
    submissions: counts.get(entryKinds.submission) ?? 0,
    events: counts.get(entryKinds.event) ?? 0,
    pageViews: counts.get(entryKinds.page_view) ?? 0,
    clicks: counts.get(entryKinds.click) ?? 0,
  }
  const others = rows.reduce((sum, { kind, count }) => sum + (ledgerKinds.includes(kind) ? 0 : count), 0)
  return { ...known, others, accounts: handles(raw, unknownAccountsQuery) }
}

const removedAccountsQuery = `
  SELECT here.handle FROM main.account there JOIN restored.account here ON here.id = there.id
  WHERE there.removed_at IS NOT NULL AND here.removed_at IS NULL
  ORDER BY here.handle`

const handles = (raw: Database, query: string): string[] =>
  raw
    .query<{ handle: string }, []>(query)
    .all()
    .map(({ handle }) => handle)

/** One that an older backup holds half done is not known there. */
const unknownErasures = `
  FROM main.erasure there
  WHERE NOT EXISTS (SELECT 1 FROM restored.erasure here WHERE here.id = there.id AND here.ended_at IS there.ended_at)`

/** Who was erased again, since a restore had brought them back, lost the same records twice and is counted once. */
const erasuresQuery = `
  WITH shared AS (
    SELECT one.erasure_row AS row, min(other.erasure_row) AS first
    FROM main.erased_record one JOIN main.erased_record other USING (sequence, record_id) GROUP BY one.erasure_row)
  SELECT count(DISTINCT coalesce((SELECT first FROM shared WHERE shared.row = there.row), there.row)) AS count
  ${unknownErasures}`

const returnedRecordsQuery = `
  SELECT count(*) AS count FROM restored.ledger here
  JOIN (SELECT DISTINCT sequence, record_id FROM main.erased_record
        WHERE erasure_row IN (SELECT there.row ${unknownErasures})) erased
    ON erased.sequence = here.sequence AND erased.record_id = here.id`

function findUndone(raw: Database): UndoneRemovals {
  const removedAccounts = handles(raw, removedAccountsQuery)
  if (!hasLog(raw)) return { erasures: null, erasedRecords: 0, removedAccounts }
  const count = (query: string): number => raw.query<{ count: number }, []>(query).get()?.count ?? 0
  return { erasures: count(erasuresQuery), erasedRecords: count(returnedRecordsQuery), removedAccounts }
}

const hasLog = (raw: Database): boolean =>
  raw.query(`SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'erased_record'`).get() !== null
