import { splitEntries } from '../ledger/ledger-codec.ts'
import type { CommittedBatch, WriteBatch } from './write-batch.ts'

/**
 * What became of batches, oldest first, whose thread died before it answered: `null` where nothing is known to be stored.
 * They are committed in their order and whole, so what is stored of one says that all before it are.
 *
 * A batch without entries that has no stored one behind it counts as not stored: refusals may be counted twice then, and a
 * challenge that was spent has to be asked for anew.
 *
 * @param latestEntryIds the ids of the latest so many entries in the database
 */
export function storedBatches(
  batches: readonly WriteBatch[],
  latestEntryIds: (count: number) => Set<string>,
): (CommittedBatch | null)[] {
  const ids = batches.map(({ entries }) => [...splitEntries(entries)].map(({ id }) => id))
  const stored = knownIds(ids.flat().length, latestEntryIds)
  const last = ids.findLastIndex((of) => of.some((id) => stored.has(id)))
  return ids.map((of, index) => {
    if (index > last) return null
    return { homeless: of.flatMap((id, position) => (stored.has(id) ? [] : [position])), spent: [] }
  })
}

function knownIds(count: number, latestEntryIds: (count: number) => Set<string>): Set<string> {
  if (count === 0) return new Set()
  try {
    return latestEntryIds(count)
  } catch {
    // Most likely the thread died of the disk, which is not to be read either.
    return new Set()
  }
}
