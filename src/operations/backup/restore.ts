import { dirname } from 'node:path'
import { readArchive } from '../../backup/format/archive.ts'
import { openAgeFile, WrongIdentity } from '../../backup/format/sealing.ts'
import { ObjectFault, TargetFault } from '../../backup/target/backup-target.ts'
import type { ErasureEntry } from '../../ledger/decision.ts'
import { chunksOf } from '../../lib/opened-file.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { ArchiveFault } from '../../lib/ustar.ts'
import type { RecordCounts, RestorePorts, RestoreSource } from './backup-ports.ts'
import { compareFolders, type FolderComparison } from './compare-folders.ts'

export interface RestoreWanted {
  /** age identities: `AGE-SECRET-KEY-1…`. */
  identities: readonly string[]
  dataDir: string
  now: number
}

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
  { file, identities, dataDir, now }: RestoreWanted & { file: string },
  onContent: () => void,
): Promise<RestoredBox> {
  // Open the file first, as root: the data folder's owner may not have access to it.
  const opened = await ports.folders.open(file)
  try {
    const source = await unsealed(opened, identities)
    const unpack = source.kind === 'snapshot' ? unpackSnapshot : unpackBackup
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
  const refusal = (how: string): OperatorError =>
    new OperatorError(
      `${file} is encrypted${how}. Name the file with the identity that belongs to one of its recipients: --identity FILE. Nothing was changed.`,
    )
  if (identities.length === 0) throw refusal('')
  try {
    return { ...source, kind: 'backup', handle: await openAgeFile(handle, identities) }
  } catch (error) {
    if (!(error instanceof WrongIdentity)) throw error
    throw refusal(' for other identities than those given')
  }
}

interface Unpacking {
  ports: RestorePorts
  /** The path of the new data folder before the swap. */
  staged: string
  /** The present folder, which provides a snapshot's published contents. */
  dataDir: string
  now: number
  onContent: () => void
}

interface Unpacked {
  /** ISO 8601. */
  createdAt: string
  accounts: number
  assets: number
  missingAssets: number
  /** Hashes of contents that the backup left out as damaged; at most the first few. */
  damagedAssets: string[]
}

async function unpackBackup({ handle }: RestoreSource, unpacking: Unpacking): Promise<Unpacked> {
  const { ports, staged, dataDir, onContent } = unpacking
  const { folders } = ports
  const store = await folders.assetsOf(staged)
  const { account, assets, createdAt, damaged } = await readArchive(handle, {
    database: (chunks) => folders.writeDatabase(staged, chunks),
    sealKey: (key) => folders.writeSealKey(staged, key, dataDir),
    asset: async (key, content) => {
      await store.put(key, content)
      onContent()
    },
  })
  if (account?.since)
    throw new ArchiveFault(
      `holds only later records of the account "${account.handle}", for \`capture account move ${account.handle} --from FILE\``,
    )
  const holds = async (sha256: string) => (await store.open({ sha256, encoding: 'identity' })) !== null
  const { accounts, missing } = await accept(unpacking, 'holds a database that', holds)
  return { createdAt, accounts, assets, missingAssets: missing, damagedAssets: damaged }
}

/** Takes the database from the snapshot, and published contents from the present folder or the snapshot's own. */
async function unpackSnapshot(source: RestoreSource, unpacking: Unpacking): Promise<Unpacked> {
  const { ports, staged, dataDir, onContent } = unpacking
  const { folders, databases } = ports
  await folders.writeDatabase(staged, chunksOf(source.handle))
  const key = folders.sealKeysNear(source.file, dataDir).find((near) => databases.opensWith(staged, near))
  if (key !== undefined) folders.writeSealKey(staged, key, dataDir)
  await folders.assetsOf(staged)
  let assets = 0
  const { accounts, missing } = await accept(unpacking, 'is a database that', async (sha256) => {
    onContent()
    for (const folder of [dataDir, dirname(dirname(source.file))]) {
      if (!(await folders.adopt(folder, staged, sha256))) continue
      assets++
      return true
    }
    return false
  })
  return { createdAt: await source.writtenAt(), accounts, assets, missingAssets: missing, damagedAssets: [] }
}

export function accept(
  { ports, staged, now }: Pick<Unpacking, 'staged' | 'now'> & { ports: Pick<RestorePorts, 'databases'> },
  subject: string,
  holds: (sha256: string) => Promise<boolean>,
): Promise<{ accounts: number; missing: number }> {
  return ports.databases.accept(staged, { now, holds }).catch((error: NodeJS.ErrnoException) => {
    // A content may be fetched from a target only now.
    if (isOfDisk(error) || error instanceof ObjectFault || error instanceof TargetFault) throw error
    throw new ArchiveFault(`${subject} ${error.message}`)
  })
}

interface Placing {
  dataDir: string
  now: number
  /** Makes a new data folder at the path and checks everything. */
  unpack: (staged: string) => Promise<UnpackedBackup>
  /** Turns a fault of what is restored, or of the disk, into words for the operator. */
  refusal: (error: unknown) => unknown
}

/** What was unpacked, and what the backup tells of erasures up to now; `null`: nothing. */
export interface UnpackedBackup {
  unpacked: Unpacked
  log: ErasureEntry[] | null
  /** The object that told of the latest erasures, if it is missing. */
  erasuresMissing: string | null
}

interface PlacedBox extends Unpacked, FolderComparison {
  /** What is there again, once later erasures were repeated. */
  records: RecordCounts
  dataDir: string
  /** The new path of the previous folder; `null`: there was none. */
  movedAside: string | null
}

/** Makes a folder beside the data folder, erases from it again what was erased since, and puts it in place, all or nothing. */
export async function putInPlace(ports: RestorePorts, { dataDir, now, unpack, refusal }: Placing): Promise<PlacedBox> {
  const { databases, folders, rights } = ports
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
    const filled = async () => {
      const { unpacked, ...erased } = await unpack(staged)
      await folders.sync(staged)
      const comparison = await compareFolders(ports, { dataDir, staged, ...erased })
      return { ...unpacked, records: databases.count(staged), ...comparison }
    }
    const box = await filled().catch((error) => {
      throw refusal(error)
    })
    rights.asCaller()
    const movedAside = await place.swap()
    const comparedWith = box.comparedWith === dataDir ? movedAside : box.comparedWith
    return { dataDir, movedAside, ...box, comparedWith }
  } finally {
    rights.asCaller()
    place.discard()
    for (const lock of locks) lock.release()
  }
}

/** What went wrong, for the operator; any other error stays as it is. */
export function restoreRefusal(file: string, error: unknown): unknown {
  if (error instanceof ArchiveFault) {
    return new OperatorError(`${file} cannot be restored: it ${error.message}. Nothing was changed.`)
  }
  if (!isOfDisk(error as NodeJS.ErrnoException)) return error
  return new OperatorError(
    `The disk does not take what is in ${file}: ${(error as Error).message}. Nothing was changed.`,
  )
}

const diskFaults: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
])

const isOfDisk = ({ code }: NodeJS.ErrnoException): boolean => code !== undefined && diskFaults.has(code)
