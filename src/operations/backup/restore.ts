import { compareFolders, type FolderComparison } from './compare-folders.ts'
import type { RestorePorts, RestoreSource } from './restore-ports.ts'
import { restoreRefusal, type Unpacked, unpack } from './unpack.ts'

export interface RestoreWanted {
  /** A backup or a snapshot, absolute. */
  file: string
  dataDir: string
  /** Epoch milliseconds. */
  now: number
}

/** The result of a restore. */
export interface RestoredBox extends Unpacked, FolderComparison {
  dataDir: string
  /** The new path of the previous folder; `null`: there was none. */
  movedAside: string | null
  from: RestoreSource['kind']
}

/**
 * Unpacks and checks the file beside the data folder, and puts the result in place only when it is complete and on disk
 * (contract section 1). A failure before that changes nothing.
 *
 * @throws OperatorError when the file is incomplete, the disk is full, or the folder is in use
 */
export async function restore(
  ports: RestorePorts,
  { file, dataDir, now }: RestoreWanted,
  onContent: () => void,
): Promise<RestoredBox> {
  const { folders, rights } = ports
  // Open the file first, as root: the data folder's owner may not have access to it.
  const source = await folders.open(file)
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
    const unpacked = await unpack(source, { ports, staged, dataDir, now, onContent })
    const comparison = await compareFolders(ports, { dataDir, staged }).catch((error) => {
      throw restoreRefusal(file, error)
    })
    rights.asCaller()
    const movedAside = await place.swap()
    const comparedWith = comparison.comparedWith === dataDir ? movedAside : comparison.comparedWith
    return { dataDir, movedAside, from: source.kind, ...unpacked, ...comparison, comparedWith }
  } finally {
    rights.asCaller()
    await place.discard()
    for (const lock of locks) lock.release()
    await source.handle.close()
  }
}
