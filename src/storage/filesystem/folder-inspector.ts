import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FolderInspector, FolderLook } from '../../operations/doctor/inspection.ts'
import { isHeld, takeFolderLock } from '../lock/folder-lock.ts'
import { abandonedRestores } from './abandoned-restores.ts'
import { openAssetStore } from './asset-store.ts'
import { boxesMovedAside } from './data-folder.ts'
import { freeMegabytes } from './free-space.ts'
import { otherBoxes, type Whereabouts } from './other-boxes.ts'
import { abandonedFolders } from './scratch-folder.ts'
import { FileTargetStates } from './target-states.ts'

export function inspectFolder(where: Whereabouts): FolderInspector {
  const { dataDir } = where
  const assetsDir = join(dataDir, 'assets')
  return {
    look: () => lookAt(dataDir),
    freeMegabytes: () => freeMegabytes(nearestExisting(dataDir)),
    servedBy: () => servedBy(dataDir),
    movedAside: () => boxesMovedAside(dataDir),
    otherBoxes: () => otherBoxes(where),
    holdsContents: () => existsSync(assetsDir),
    // Opening would create the folder, but an inspection must change nothing.
    assets: async () => (existsSync(assetsDir) ? openAssetStore(assetsDir) : { open: async () => null }),
    unfinishedFiles: () => abandonedFolders(dataDir),
    unfinishedRestores: () => abandonedRestores(dataDir),
    targetState: (url) => new FileTargetStates(dataDir).read(url),
  }
}

function lookAt(dataDir: string): FolderLook {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (found === undefined) return { kind: 'absent' }
  if (!found.isDirectory()) return { kind: 'no folder' }
  return { kind: 'folder', mode: found.mode, uid: found.uid, unwritable: whyUnwritable(dataDir) }
}

function whyUnwritable(dataDir: string): string | null {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

function nearestExisting(dir: string): string {
  for (let at = dir; ; at = dirname(at)) {
    if (statSync(at, { throwIfNoEntry: false })?.isDirectory() || at === dirname(at)) return at
  }
}

function servedBy(dataDir: string): ReturnType<FolderInspector['servedBy']> {
  const lock = takeFolderLock(dataDir, 'serve', 'capture doctor')
  if (!isHeld(lock)) return lock
  lock.release()
  return null
}
