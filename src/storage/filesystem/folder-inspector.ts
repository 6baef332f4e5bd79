import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sealKeyName } from '../../lib/seal.ts'
import type { FolderInspector, FolderLook } from '../../operations/doctor/inspection.ts'
import { isHeld, takeFolderLock } from '../lock/folder-lock.ts'
import { openAssetStore } from './asset-store.ts'
import { boxesMovedAside } from './data-folder.ts'
import { freeMegabytes } from './free-space.ts'
import { otherBoxes, type Whereabouts } from './other-boxes.ts'
import { abandonedFolders } from './scratch-folder.ts'
import { abandonedRestores } from './staged-folder.ts'
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
  const { mode, uid } = found
  return { kind: 'folder', mode, uid, unwritable: whyUnwritable(dataDir), sealKey: sealKeyIn(dataDir) }
}

/** A file that cannot be reached has a finding of its own: no secret opens. */
function sealKeyIn(dataDir: string): { file: string; mode: number } | null {
  try {
    const file = realpathSync(join(dataDir, sealKeyName))
    return { file, mode: statSync(file).mode }
  } catch {
    return null
  }
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
