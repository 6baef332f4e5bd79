import { openAgeFile } from '../../backup/format/age-file.ts'
import { WrongIdentity } from '../../backup/format/sealing.ts'
import type { ErasureEntry } from '../../ledger/decision.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { compareFolders, type FolderComparison } from './compare-folders.ts'
import type { RecordCounts, RestorePorts, RestoreSource } from './restore-ports.ts'
import { restoreRefusal, type Unpacked, unpack } from './unpack.ts'

interface RestoreWanted {
  /** A backup or a snapshot, absolute. */
  file: string
  /** age identities: `AGE-SECRET-KEY-1…`. */
  identities: readonly string[]
  dataDir: string
  /** Epoch milliseconds. */
  now: number
}

/** The result of a restore. */
export interface RestoredBox extends PlacedBox {
  from: 'backup' | 'snapshot' | 'target'
}

/**
 * Unpacks and checks the file beside the data folder, and puts the result in place only when it is complete and on disk
 * (docs/backup-and-restore.md). A failure before that changes nothing.
 *
 * @throws OperatorError when the file is incomplete, the disk is full, or the folder is in use
 */
export async function restore(
  ports: RestorePorts,
  { file, identities, dataDir, now }: RestoreWanted,
  onContent: () => void,
): Promise<RestoredBox> {
  // Open the file first, as root: the data folder's owner may not have access to it.
  const opened = await ports.folders.open(file)
  try {
    const source = await unsealed(opened, identities)
    const placed = await putInPlace(ports, {
      dataDir,
      now,
      unpack: async (staged) => ({
        unpacked: await unpack(source, { ports, staged, dataDir, now, onContent }),
        log: null,
        erasuresMissing: null,
      }),
      refusal: (error) => restoreRefusal(file, error),
    })
    return { from: source.kind === 'snapshot' ? 'snapshot' : 'backup', ...placed }
  } finally {
    await opened.handle.close()
  }
}

/** The source with its content in the clear. @throws OperatorError when no identity opens it */
async function unsealed(source: RestoreSource, identities: readonly string[]): Promise<RestoreSource> {
  const { kind, file, handle } = source
  if (kind !== 'sealed') return source
  if (identities.length === 0) {
    throw new OperatorError(
      `${file} is encrypted. Name the file with the identity that belongs to one of its recipients: --identity FILE. Nothing was changed.`,
    )
  }
  try {
    return { ...source, kind: 'backup', handle: await openAgeFile(handle, identities) }
  } catch (error) {
    if (!(error instanceof WrongIdentity)) throw error
    throw new OperatorError(
      `${file} is encrypted for other identities than those given. Name the file with the identity that belongs to one of its recipients: --identity FILE. Nothing was changed.`,
    )
  }
}

interface Placing {
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
interface PlacedBox extends Unpacked, FolderComparison {
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
