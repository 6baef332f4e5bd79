import { type FileHandle, open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { ArchiveFault } from '../lib/ustar/header.ts'
import { readArchive } from '../storage/archive/read-archive.ts'
import { openAssetStore } from '../storage/filesystem/asset-store.ts'
import { syncFolder } from '../storage/filesystem/sync-folder.ts'
import { type FolderLock, isHeld, takeFolderLock } from '../storage/sqlite/folder-lock.ts'
import { acceptDatabase } from '../storage/sqlite/restored-database.ts'
import { actingOwner } from './acting-owner.ts'
import type { ExitStatus } from './command.ts'
import { typedCommandLine } from './data-owner.ts'
import { toJson } from './output/json.ts'
import { printable } from './output/printable.ts'
import { startProgress } from './output/progress.ts'
import { plural, timestamp } from './output/quantities.ts'
import { RestorePlace } from './restore-place.ts'
import type { Session } from './session.ts'

/**
 * Unpacks the backup beside the data folder, checking everything, and only when all of it is right and on disk puts it
 * in the folder's place (contract section 1). Whatever fails before that leaves things as they were.
 */
export async function runRestore(request: { file: string; json: boolean }, session: Session): Promise<ExitStatus> {
  const { config } = await session.loadConfig()
  const { dataDir } = config
  const file = resolve(session.cwd, request.file)
  // Opened first: root may read a backup that the data folder's owner may not.
  const archive = await openBackup(file)
  const owner = actingOwner({ dataDir, typed: typedCommandLine(session) })
  const place = await RestorePlace.prepare(dataDir, session.clock.now())
  const locks: FolderLock[] = []
  try {
    owner.begin()
    if (place.isOccupied) locks.push(...lockFolder(dataDir))
    const restored = await unpack(archive, { file, dir: place.staged, session })
    owner.end()
    const movedAside = await place.swap()
    const result = { dataDir, movedAside, ...restored }
    await session.out.write(request.json ? toJson(result) : asText(result))
    return 0
  } finally {
    owner.end()
    await place.discard()
    for (const lock of locks) lock.release()
    await archive.close()
  }
}

async function openBackup(file: string): Promise<FileHandle> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new OperatorError(`There is no backup ${file}.`)
    throw new OperatorError(`The backup ${file} cannot be read: ${error.message}.`)
  })
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new OperatorError(`${file} is no regular file. Name the file that \`capture backup\` wrote.`)
}

/** Nobody serves from the folder or publishes into it while it is moved. */
function lockFolder(dataDir: string): FolderLock[] {
  const taken: FolderLock[] = []
  for (const name of ['serve', 'publish']) {
    const lock = takeFolderLock(dataDir, name, 'capture restore')
    if (isHeld(lock)) {
      taken.push(lock)
      continue
    }
    for (const earlier of taken) earlier.release()
    throw new OperatorError(
      `The data folder ${dataDir} is in use by process ${lock.pid} (${lock.doing}). Stop that first, then restore; nothing was changed.`,
    )
  }
  return taken
}

interface Unpacking {
  file: string
  dir: string
  session: Session
}

async function unpack(archive: FileHandle, { file, dir, session }: Unpacking) {
  const { clock, err } = session
  const assets = await openAssetStore(join(dir, 'assets'))
  const database = join(dir, 'capture.db')
  const progress = startProgress({ stream: err, clock, label: 'Unpacking', unit: 'entries', total: null })
  try {
    const read = await readArchive(archive, {
      database: (chunks) => writeSynced(database, chunks),
      asset: async (key, content) => {
        await assets.put(key, content)
        progress.advance(1)
      },
    })
    const accepted = await acceptDatabase(database, {
      snapshotDir: join(dir, 'snapshots'),
      now: clock.now(),
      holds: async (sha256) => (await assets.open({ sha256, encoding: 'identity' })) !== null,
    }).catch((error: NodeJS.ErrnoException) => {
      if (isOfDisk(error)) throw error
      throw new ArchiveFault(`holds a database that ${error.message}`)
    })
    await syncFolder(dir)
    const { createdAt } = read.manifest
    return { createdAt, accounts: accepted.accounts, assets: read.assets, missingAssets: accepted.missing }
  } catch (error) {
    throw refusal(file, error)
  } finally {
    progress.end()
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

interface Restored {
  dataDir: string
  movedAside: string | null
  createdAt: string
  accounts: number
  assets: number
  missingAssets: number
}

function asText({ dataDir, movedAside, createdAt, accounts, assets, missingAssets }: Restored): string {
  const written = Number.isNaN(Date.parse(createdAt)) ? createdAt : timestamp(Date.parse(createdAt))
  const lines = [
    `Restored ${plural(accounts, 'account')} and ${plural(assets, 'published content')} of ${written} into ${dataDir}.`,
    ...(movedAside === null
      ? []
      : [`What was there before is in ${movedAside}; remove it when you no longer need it.`]),
    ...(missingAssets === 0
      ? []
      : [`${plural(missingAssets, 'published content')} were missing on the box when it was backed up, and are now.`]),
  ]
  return `${lines.map((line) => printable(line)).join('\n')}\n`
}
