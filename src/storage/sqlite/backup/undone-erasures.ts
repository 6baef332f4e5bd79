import type { Database } from 'bun:sqlite'
import type { ErasureEntry } from '../../../ledger/decision.ts'
import { allErasures } from '../forgetting/erasure-entries.ts'
import { capturedKinds } from '../ledger/ledger-codec.ts'
import { erasuresElsewhere, unknownErasures } from './erasures-elsewhere.ts'

/** How many persons were erased that the database attached as `restored` still has, and how many of their records. */
export function undoneErasures(raw: Database): { erasures: number; erasedRecords: number } | null {
  const there = erasuresElsewhere(raw)
  if (there === null) return null
  const unknown = unknownErasures(there, allErasures(raw, 'restored'))
  return { erasures: countErasures(there, unknown), erasedRecords: countReturned(raw, unknown) }
}

/** Who was erased again, since a restore had brought them back, lost the same records twice and is counted once. */
function countErasures(there: readonly ErasureEntry[], unknown: readonly ErasureEntry[]): number {
  const takenBy = new Map<string, string>()
  const again = new Map<string, string>()
  const first = (erasureId: string): string => again.get(erasureId) ?? erasureId
  for (const { erasureId, records } of there) {
    for (const id of records) {
      const before = takenBy.get(id)
      if (before === undefined) takenBy.set(id, erasureId)
      else if (before !== erasureId) again.set(erasureId, first(before))
    }
  }
  return new Set(unknown.map(({ erasureId }) => first(erasureId))).size
}

function countReturned(raw: Database, unknown: readonly ErasureEntry[]): number {
  const returned = raw.query<{ count: number }, [string, string]>(
    `SELECT count(*) AS count FROM restored.ledger
     WHERE account_row = (SELECT row FROM restored.account WHERE id = ?) AND kind IN (${capturedKinds})
       AND id IN (SELECT value FROM json_each(?))`,
  )
  const byAccount = Map.groupBy(unknown, ({ accountId }) => accountId)
  return [...byAccount].reduce((sum, [accountId, entries]) => {
    const ids = entries.flatMap(({ records }) => records)
    return sum + (returned.get(accountId, JSON.stringify(ids))?.count ?? 0)
  }, 0)
}
