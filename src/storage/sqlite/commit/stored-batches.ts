import { splitEntries } from '../ledger/ledger-codec.ts'
import type { CommittedBatch, WriteBatch } from './write-batch.ts'

/**
 * The outcomes of batches, oldest first, whose thread died before it answered; `null`: not known to be stored. Batches
 * are committed in order and whole, so if any part of one is stored, all earlier ones are.
 *
 * A batch without entries and without a stored one after it counts as not stored: its refusals may be counted twice,
 * and a spent challenge must be requested again.
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
    // The thread probably died because of the disk, which then cannot be read either.
    return new Set()
  }
}
