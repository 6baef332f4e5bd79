import { dirname } from 'node:path'
import { ObjectFault } from '../../backup/format/bundle.ts'
import { TargetFault } from '../../backup/target/backup-target.ts'
import type { OpenedFile } from '../../lib/opened-file.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { ArchiveFault } from '../../lib/ustar.ts'
import type { RestorePorts, RestoreSource } from './restore-ports.ts'

interface Unpacking {
  ports: RestorePorts
  /** The path of the new data folder before the swap. */
  staged: string
  /** The present folder, which provides a snapshot's published contents. */
  dataDir: string
  /** Epoch milliseconds. */
  now: number
  /** Called for each published content. */
  onContent: () => void
}

export interface Unpacked {
  /** ISO 8601. */
  createdAt: string
  accounts: number
  /** The number of restored contents. */
  assets: number
  missingAssets: number
  /** Hashes of contents that the backup left out as damaged; at most the first few. */
  damagedAssets: string[]
}

/** Unpacks the file into a new data folder and checks everything. @throws ArchiveFault when the file is incomplete */
export const unpack = (source: RestoreSource, unpacking: Unpacking): Promise<Unpacked> =>
  (source.kind === 'snapshot' ? unpackSnapshot : unpackBackup)(source, unpacking)

async function unpackBackup({ handle }: RestoreSource, unpacking: Unpacking): Promise<Unpacked> {
  const { ports, staged, dataDir, onContent } = unpacking
  const assets = await ports.folders.assetsOf(staged)
  const read = await ports.archive.read(handle, {
    database: (chunks) => ports.folders.writeDatabase(staged, chunks),
    sealKey: (key) => ports.folders.writeSealKey(staged, key, dataDir),
    asset: async (key, content) => {
      await assets.put(key, content)
      onContent()
    },
  })
  const { account } = read
  if (account?.since)
    throw new ArchiveFault(
      `holds only later records of the account "${account.handle}", for \`capture account move ${account.handle} --from FILE\``,
    )
  const holds = async (sha256: string): Promise<boolean> =>
    (await assets.open({ sha256, encoding: 'identity' })) !== null
  const { accounts, missing } = await accept(unpacking, 'holds a database that', holds)
  const { createdAt, damaged } = read
  return { createdAt, accounts, assets: read.assets, missingAssets: missing, damagedAssets: damaged }
}

/** Takes the database from the snapshot, and published contents from the present folder or the snapshot's own. */
async function unpackSnapshot(source: RestoreSource, unpacking: Unpacking): Promise<Unpacked> {
  const { ports, staged, dataDir, onContent } = unpacking
  const { folders, databases } = ports
  await folders.writeDatabase(staged, chunksOf(source.handle))
  const key = folders.sealKeysNear(source.file, dataDir).find((near) => databases.opensWith(staged, near))
  if (key !== undefined) folders.writeSealKey(staged, key, dataDir)
  await folders.assetsOf(staged)
  const adopters = [dataDir, dirname(dirname(source.file))].map((folder) => folders.adopter(folder, staged))
  let assets = 0
  const { accounts, missing } = await accept(unpacking, 'is a database that', async (sha256) => {
    onContent()
    for (const adopt of adopters) {
      if (!(await adopt(sha256))) continue
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

const chunkBytes = 1024 * 1024

async function* chunksOf(handle: OpenedFile): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(chunkBytes)
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
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
