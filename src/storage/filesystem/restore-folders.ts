import { lstatSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ageBeginning } from '../../backup/format/sealing.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { RestoreFolders, RestoreSource } from '../../operations/backup/backup-ports.ts'
import { readSealKey, sealKeyFile, writeSealKey } from '../disk/seal-key-file.ts'
import { syncPath, writeSynced } from '../disk/synced.ts'
import { type FolderLock, isHeld, takeFolderLock } from '../lock/folder-lock.ts'
import { adoptAsset, openAssetStore } from './asset-store.ts'
import { boxesMovedAside, databaseFile, isDatabaseMade } from './data-folder.ts'
import { removeAbandoned } from './scratch-folder.ts'
import { abandonedRestores, prepareRestore } from './staged-folder.ts'

export const restoreFolders: RestoreFolders = {
  open: openSource,
  prepare: prepareRestore,
  lock: lockFolder,
  removeUnfinished: removeAbandoned,
  abandoned: abandonedRestores,
  remove: (folder) => rmSync(folder, { recursive: true, force: true }),
  writeDatabase: (staged, chunks) => writeSynced(databaseFile(staged), chunks),
  writeSealKey: bringSealKey,
  sealKeysNear: (snapshot, dataDir) =>
    [snapshot, databaseFile(dirname(dirname(snapshot))), databaseFile(dataDir)].flatMap(
      (database) => readSealKey(sealKeyFile(database)) ?? [],
    ),
  assetsOf: (staged) => openAssetStore(join(staged, 'assets')),
  adopt: (from, staged, sha256) => adoptAsset(join(from, 'assets'), join(staged, 'assets'), sha256),
  sync: syncPath,
  present(dataDir) {
    const folder = isDatabaseMade(databaseFile(dataDir)) ? dataDir : (boxesMovedAside(dataDir)[0] ?? null)
    return folder === null ? null : { folder, database: databaseFile(folder) }
  },
}

function bringSealKey(staged: string, key: Uint8Array, dataDir: string): void {
  const present = sealKeyFile(databaseFile(dataDir))
  const file = sealKeyFile(databaseFile(staged))
  const isLink = lstatSync(present, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  const known = isLink ? readSealKey(present) : null
  if (known !== null && Buffer.from(known).equals(key)) symlinkSync(realpathSync(present), file)
  else writeSealKey(file, key)
}

/** Nobody serves from the folder or publishes into it while it is being moved. */
function lockFolder(folder: string, names: string[]): FolderLock {
  const taken: FolderLock[] = []
  const release = (): void => {
    for (const lock of taken) lock.release()
  }
  for (const name of names) {
    const lock = takeFolderLock(folder, name, 'capture restore')
    if (isHeld(lock)) {
      taken.push(lock)
      continue
    }
    release()
    throw new OperatorError(
      `The data folder ${folder} is in use by process ${lock.pid} (${lock.doing}). Stop that first, then run this again; nothing was changed.`,
    )
  }
  return { release }
}

/** How every SQLite database begins (https://sqlite.org/fileformat.html, section 1.3). */
const databaseBeginning = 'SQLite format 3\0'

/** @throws OperatorError if the file cannot be read, or is a database in use */
async function openSource(file: string): Promise<RestoreSource> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new OperatorError(`There is no backup ${file}.`)
    throw new OperatorError(`The backup ${file} cannot be read: ${error.message}.`)
  })
  try {
    if (!(await handle.stat()).isFile()) {
      throw new OperatorError(`${file} is not a regular file. Name the file that \`capture backup\` wrote.`)
    }
    const kind = await kindOf(handle)
    if (kind === 'snapshot') await refuseOpenDatabase(file)
    return { kind, file, handle, writtenAt: () => snapshotWrittenAt(file, handle) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function kindOf(handle: FileHandle): Promise<RestoreSource['kind']> {
  const bytes = Buffer.alloc(Math.max(databaseBeginning.length, ageBeginning.length))
  await handle.read(bytes, 0, bytes.length, 0)
  const beginning = bytes.toString('latin1')
  if (beginning.startsWith(databaseBeginning)) return 'snapshot'
  return beginning.startsWith(ageBeginning) ? 'sealed' : 'backup'
}

/** Its latest commits are in the log beside it and would be lost silently. */
async function refuseOpenDatabase(file: string): Promise<void> {
  const log = await stat(`${file}-wal`).catch(() => null)
  if (log === null || log.size === 0) return
  throw new OperatorError(
    `${file} is the database of a box in use, or of one that was killed: its latest records are in ${basename(file)}-wal beside it. Move the whole folder to where it belongs instead, or name a backup or a snapshot.`,
  )
}

const snapshotName = /^before-(?:migration|upgrade)-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d)(\d{3})Z\.db$/

/** When a snapshot was written, according to its name; for a copy of another name, its modification time. ISO 8601. */
async function snapshotWrittenAt(file: string, handle: FileHandle): Promise<string> {
  const [, hour, minute, second, fraction] = snapshotName.exec(basename(file)) ?? []
  if (hour !== undefined) return `${hour}:${minute}:${second}.${fraction}Z`
  return (await handle.stat()).mtime.toISOString()
}
