import type { ErasureEntry } from '../../ledger/decision.ts'

/**
 * The number of persons that the unknown entries erased. A person who was erased again after a restore lost the same records
 * twice and is counted once.
 *
 * @param log all entries of the box that knows most, the unknown ones included
 */
export function countErasures(log: readonly ErasureEntry[], unknown: readonly ErasureEntry[]): number {
  const takenBy = new Map<string, string>()
  const again = new Map<string, string>()
  const first = (erasureId: string): string => again.get(erasureId) ?? erasureId
  for (const { erasureId, records } of log) {
    for (const id of records) {
      const before = takenBy.get(id)
      if (before === undefined) takenBy.set(id, erasureId)
      else if (before !== erasureId) again.set(erasureId, first(before))
    }
  }
  return new Set(unknown.map(({ erasureId }) => first(erasureId))).size
}
