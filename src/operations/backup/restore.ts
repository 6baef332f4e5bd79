import { compareFolders, type FolderComparison } from './compare-folders.ts'
import type { RestorePorts, RestoreSource } from './restore-ports.ts'
import { type Unpacked, unpack } from './unpack.ts'

export interface RestoreWanted {
  /** A backup or a snapshot, absolute. */
  file: string
  dataDir: string
  /** Epoch milliseconds. */
  now: number
}

/** What a restore did. */
export interface RestoredBox extends Unpacked, FolderComparison {
  dataDir: string
  /** Where the folder is that was there before; `null`: there was none. */
  movedAside: string | null
  from: RestoreSource['kind']
}

/**
 * Unpacks what is restored beside the data folder, checking everything, and only when all of it is right and on disk
 * puts it in the folder's place (contract section 1). Whatever fails before that leaves things as they were.
 *
 * @throws OperatorError when the file is not whole, the disk does not take it, or the folder is in use
 */
export async function restore(
  ports: RestorePorts,
  { file, dataDir, now }: RestoreWanted,
  onContent: () => void,
): Promise<RestoredBox> {
  const { folders, rights } = ports
  // Opened first: root may read a backup that the data folder's owner may not.
  const source = await folders.open(file)
  const place = await folders.prepare(dataDir, now)
  const locks: { release(): void }[] = []
  try {
    rights.asOwner()
    const { staged } = place
    // The new folder's tells whoever looks later that nobody is at work on it any more.
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
    const comparison = compareFolders(ports, { dataDir, staged })
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
