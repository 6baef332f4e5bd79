import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { ArchiveFault } from '../lib/ustar/header.ts'
import { readArchive } from '../storage/archive/read-archive.ts'
import { AdoptedAssets } from '../storage/filesystem/adopted-assets.ts'
import { openAssetStore } from '../storage/filesystem/asset-store.ts'
import { syncFolder } from '../storage/filesystem/sync-folder.ts'
import { acceptDatabase, type RestoredDatabase } from '../storage/sqlite/restored-database.ts'
import { databaseName } from './open-capturing.ts'
import { type Progress, startProgress } from './output/progress.ts'
import { type RestoreSource, snapshotWrittenAt } from './restore-source.ts'
import type { Session } from './session.ts'

export interface Unpacking {
  /** The new data folder, until it takes its place. */
  staged: string
  /** The folder that is there: a snapshot's published contents are taken from it. */
  dataDir: string
  session: Session
}

export interface Unpacked {
  /** ISO 8601. */
  createdAt: string
  accounts: number
  /** Published contents restored. */
  assets: number
  missingAssets: number
  /** Hashes of those that were damaged when the backup was made, and were left out of it: the first, where they are many. */
  damagedAssets: string[]
}

/**
 * Makes a data folder of what is restored, and checks all of it.
 *
 * @throws OperatorError when it is not whole, or the disk does not take it
 */
export async function unpack(source: RestoreSource, unpacking: Unpacking): Promise<Unpacked> {
  const { staged, session } = unpacking
  const progress = startProgress({
    stream: session.err,
    clock: session.clock,
    label: 'Restoring',
    unit: 'entries',
    total: null,
  })
  try {
    const unpackAll = source.kind === 'backup' ? unpackBackup : unpackSnapshot
    const unpacked = await unpackAll(source, unpacking, progress)
    await syncFolder(staged)
    return unpacked
  } catch (error) {
    throw refusal(source.file, error)
  } finally {
    progress.end()
  }
}

async function unpackBackup({ handle }: RestoreSource, unpacking: Unpacking, progress: Progress): Promise<Unpacked> {
  const assets = await openAssetStore(join(unpacking.staged, 'assets'))
  const { manifest, assets: held } = await readArchive(handle, {
    database: (chunks) => writeSynced(join(unpacking.staged, databaseName), chunks),
    asset: async (key, content) => {
      await assets.put(key, content)
      progress.advance(1)
    },
  })
  const holds = async (sha256: string): Promise<boolean> =>
    (await assets.open({ sha256, encoding: 'identity' })) !== null
  const { accounts, missing } = await accept(unpacking, 'holds a database that', holds)
  return {
    createdAt: manifest.createdAt,
    accounts,
    assets: held,
    missingAssets: missing,
    damagedAssets: manifest.damaged ?? [],
  }
}

/** The database is the snapshot's; what it has published is in the folder that is there, or in the one it lies in itself. */
async function unpackSnapshot(source: RestoreSource, unpacking: Unpacking, progress: Progress): Promise<Unpacked> {
  const { staged, dataDir } = unpacking
  await writeSynced(join(staged, databaseName), chunksOf(source.handle))
  await openAssetStore(join(staged, 'assets'))
  const folders = [dataDir, dirname(dirname(source.file))].map((folder) => join(folder, 'assets'))
  const stores = folders.map((from) => new AdoptedAssets(from, join(staged, 'assets')))
  let assets = 0
  const { accounts, missing } = await accept(unpacking, 'is a database that', async (sha256) => {
    progress.advance(1)
    for (const store of stores) {
      if (!(await store.adopt(sha256))) continue
      assets++
      return true
    }
    return false
  })
  return { createdAt: await snapshotWrittenAt(source), accounts, assets, missingAssets: missing, damagedAssets: [] }
}

function accept(
  { staged, session }: Unpacking,
  subject: string,
  holds: (sha256: string) => Promise<boolean>,
): Promise<RestoredDatabase> {
  return acceptDatabase(join(staged, databaseName), {
    snapshotDir: join(staged, 'snapshots'),
    now: session.clock.now(),
    holds,
  }).catch((error: NodeJS.ErrnoException) => {
    if (isOfDisk(error)) throw error
    throw new ArchiveFault(`${subject} ${error.message}`)
  })
}

const chunkBytes = 1024 * 1024

async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(chunkBytes)
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function writeSynced(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function refusal(file: string, error: unknown): unknown {
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
