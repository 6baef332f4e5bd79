import type { ErasureEntry } from '../../ledger/decision.ts'
import { compareFolders, type FolderComparison } from './compare-folders.ts'
import type { RecordCounts, RestorePorts } from './restore-ports.ts'
import type { Unpacked } from './unpack.ts'

export interface Placing {
  dataDir: string
  /** Epoch milliseconds. */
  now: number
  /** Makes a new data folder at the path and checks everything. */
  unpack: (staged: string) => Promise<Backup>
  /** Turns a fault of what is restored, or of the disk, into words for the operator. */
  refusal: (error: unknown) => unknown
}

/** What was unpacked, and what the backup tells of erasures up to now; `null`: nothing. */
interface Backup {
  unpacked: Unpacked
  log: ErasureEntry[] | null
  /** The object that told of the latest erasures, if it is missing. */
  erasuresMissing: string | null
}

/** A restored data folder in its place. */
export interface PlacedBox extends Unpacked, FolderComparison {
  /** What is there again, once later erasures were repeated. */
  records: RecordCounts
  dataDir: string
  /** The new path of the previous folder; `null`: there was none. */
  movedAside: string | null
}

/** Makes a folder beside the data folder, erases from it again what was erased since, and puts it in place, all or nothing. */
export async function putInPlace(ports: RestorePorts, { dataDir, now, unpack, refusal }: Placing): Promise<PlacedBox> {
  const { folders, rights } = ports
  const place = await folders.prepare(dataDir, now)
  const locks: { release(): void }[] = []
  try {
    rights.asOwner()
    const { staged } = place
    // Once this lock is free, a later command knows that the restore was killed.
    locks.push(folders.lock(staged, ['serve']))
    if (place.isOccupied) {
      locks.push(folders.lock(dataDir, ['serve', 'publish']))
      folders.removeUnfinished(dataDir)
    }
    const abandoned = folders.abandoned(dataDir)
    rights.asCaller()
    for (const folder of abandoned) folders.remove(folder)
    rights.asOwner()
    const { unpacked, comparison, records } = await filled(ports, { dataDir, staged, unpack }).catch((error) => {
      throw refusal(error)
    })
    rights.asCaller()
    const movedAside = await place.swap()
    const comparedWith = comparison.comparedWith === dataDir ? movedAside : comparison.comparedWith
    return { dataDir, movedAside, ...unpacked, records, ...comparison, comparedWith }
  } finally {
    rights.asCaller()
    await place.discard()
    for (const lock of locks) lock.release()
  }
}

async function filled(
  ports: RestorePorts,
  { dataDir, staged, unpack }: Pick<Placing, 'dataDir' | 'unpack'> & { staged: string },
): Promise<{ unpacked: Unpacked; comparison: FolderComparison; records: RecordCounts }> {
  const { unpacked, ...erased } = await unpack(staged)
  await ports.folders.sync(staged)
  const comparison = await compareFolders(ports, { dataDir, staged, ...erased })
  return { unpacked, comparison, records: ports.databases.count(staged) }
}
