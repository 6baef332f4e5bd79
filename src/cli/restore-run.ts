import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { type FolderLock, isHeld, takeFolderLock } from '../storage/lock/folder-lock.ts'
import { actingOwner } from './acting-owner.ts'
import type { ExitStatus } from './command.ts'
import { typedCommandLine } from './data-owner.ts'
import { toJson } from './output/json.ts'
import { removeAbandoned } from './output/scratch-folder.ts'
import { abandonedRestores } from './restore-abandoned.ts'
import { compareFolders } from './restore-comparison.ts'
import { RestorePlace } from './restore-place.ts'
import { openSource } from './restore-source.ts'
import { type Restored, restoredText } from './restore-text.ts'
import { unpack } from './restore-unpack.ts'
import type { Session } from './session.ts'

/**
 * Unpacks what is restored beside the data folder, checking everything, and only when all of it is right and on disk
 * puts it in the folder's place (contract section 1). Whatever fails before that leaves things as they were.
 */
export async function runRestore(request: { file: string; json: boolean }, session: Session): Promise<ExitStatus> {
  const { config } = await session.loadConfig()
  const { dataDir } = config
  // Opened first: root may read a backup that the data folder's owner may not.
  const source = await openSource(resolve(session.cwd, request.file))
  const owner = actingOwner({ dataDir, typed: typedCommandLine(session) })
  const place = await RestorePlace.prepare(dataDir, session.clock.now())
  const locks: FolderLock[] = []
  try {
    owner.begin()
    const { staged } = place
    // The new folder's tells whoever looks later that nobody is at work on it any more.
    locks.push(...lockFolder(staged, ['serve']))
    if (place.isOccupied) {
      locks.push(...lockFolder(dataDir, ['serve', 'publish']))
      removeAbandoned(dataDir)
    }
    const abandoned = abandonedRestores(dataDir)
    owner.end()
    for (const folder of abandoned) rmSync(folder, { recursive: true, force: true })
    owner.begin()
    const unpacked = await unpack(source, { staged, dataDir, session })
    const comparison = compareFolders(dataDir, staged)
    owner.end()
    const movedAside = await place.swap()
    const comparedWith = comparison.comparedWith === dataDir ? movedAside : comparison.comparedWith
    const restored: Restored = { dataDir, movedAside, from: source.kind, ...unpacked, ...comparison, comparedWith }
    await session.out.write(request.json ? toJson(restored) : restoredText(restored))
    return 0
  } finally {
    owner.end()
    await place.discard()
    for (const lock of locks) lock.release()
    await source.handle.close()
  }
}

/** Nobody serves from the folder or publishes into it while it is moved. */
function lockFolder(dataDir: string, names: string[]): FolderLock[] {
  const taken: FolderLock[] = []
  for (const name of names) {
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
