import { lstatSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import type { RestoreFolders } from '../../operations/backup/restore-ports.ts'
import { readSealKey, sealKeyFile, writeSealKey } from '../disk/seal-key-file.ts'
import { syncPath, writeSynced } from '../disk/synced.ts'
import { type FolderLock, isHeld, takeFolderLock } from '../lock/folder-lock.ts'
import { abandonedRestores } from './abandoned-restores.ts'
import { AdoptedAssets } from './adopted-assets.ts'
import { openAssetStore } from './asset-store.ts'
import { boxesMovedAside, databaseFile, isDatabaseMade } from './data-folder.ts'
import { RestoreFolder } from './restore-place.ts'
import { openSource } from './restore-source.ts'
import { removeAbandoned } from './scratch-folder.ts'

export const restoreFolders: RestoreFolders = {
  open: openSource,
  prepare: (dataDir, now) => RestoreFolder.prepare(dataDir, now),
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
  adopter(from, staged) {
    const adopted = new AdoptedAssets(join(from, 'assets'), join(staged, 'assets'))
    return (sha256) => adopted.adopt(sha256)
  },
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
      `The data folder ${folder} is in use by process ${lock.pid} (${lock.doing}). Stop that first, then restore; nothing was changed.`,
    )
  }
  return { release }
}
