import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { leastFreeMb } from '../../capture/storage-room.ts'
import type { Config } from '../../config/config.ts'
import { count } from '../../lib/quantities.ts'
import { boxesMovedAside } from '../../storage/filesystem/data-folder.ts'
import { freeMegabytes } from '../../storage/filesystem/free-space.ts'
import { isHeld, takeFolderLock } from '../../storage/lock/folder-lock.ts'
import { folderGone, folderGoneAdvice } from '../lost-database.ts'
import { otherBoxAdvice, otherBoxes, otherBoxFound, type Whereabouts } from '../other-boxes.ts'
import { type Finding, fault, ok } from './finding.ts'

/** What group and others may do with the folder: nothing. */
const othersMode = 0o077

export const newBoxAdvice =
  'A new box is made by `capture apply DIR` or `capture serve`. If there was one before, see whether data_dir is spelt right and its volume is mounted.'

/** The data folder's mode and owner. `exists`: there is a folder that can be looked into. */
export function examineFolder({ dataDir }: Config, where: Whereabouts): { exists: boolean; findings: Finding[] } {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (found === undefined) return { exists: false, findings: [folderMissing(dataDir, where)] }
  if (!found.isDirectory()) {
    return { exists: false, findings: [fault('data folder', `${dataDir} is no folder.`, 'Set data_dir to one.')] }
  }
  return { exists: true, findings: [modeOf(dataDir, found), writableFinding(dataDir)] }
}

function folderMissing(dataDir: string, where: Whereabouts): Finding {
  const [aside] = boxesMovedAside(dataDir)
  if (aside !== undefined) return fault('data folder', folderGone(dataDir), folderGoneAdvice(dataDir, aside))
  const found = `${dataDir} does not exist.`
  const [other] = otherBoxes(where)
  if (other !== undefined) {
    return fault('data folder', `${found} ${otherBoxFound(other, where)}`, otherBoxAdvice(other))
  }
  return fault('data folder', found, newBoxAdvice)
}

function modeOf(dataDir: string, { mode, uid }: Stats): Finding {
  if ((mode & othersMode) === 0) return ok('data folder', `${dataDir} is open to its owner (user ${uid}) alone.`)
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  return fault(
    'data folder',
    `${dataDir} has mode ${octal}: other users of this machine may look in.`,
    `chmod 700 ${dataDir}`,
  )
}

function writableFinding(dataDir: string): Finding {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok('data folder', 'It can be written to.')
  } catch (error) {
    return fault(
      'data folder',
      `It cannot be written to: ${(error as Error).message}.`,
      'Mount the disk writable and give the folder to the user that runs `serve`.',
    )
  }
}

/** Megabytes in which the database can hardly write anything. */
const fullMb = 1

/** Free disk against `min_free_mb`, of the volume the folder is on or will be. */
export async function examineDisk({ dataDir, limits }: Config): Promise<Finding> {
  const free = await freeMegabytes(nearestExisting(dataDir))
  const found = `${count(Math.floor(free))} MB are free on its disk; min_free_mb is ${count(limits.minFreeMb)}.`
  const advice = 'Make room on the disk, or lower [limits] min_free_mb in capture.toml.'
  if (free < fullMb) {
    return fault(
      'disk',
      `${found} It is full: what is captured is answered with 503 and not stored.`,
      'Make room on it.',
    )
  }
  const { pageViews, events } = leastFreeMb(limits.minFreeMb)
  if (free < pageViews) {
    const lost = free >= events ? 'Page views are' : 'Page views and events are'
    return fault('disk', `${found} ${lost} no longer stored.`, advice)
  }
  return ok('disk', found)
}

function nearestExisting(dir: string): string {
  for (let at = dir; ; at = dirname(at)) {
    if (statSync(at, { throwIfNoEntry: false })?.isDirectory() || at === dirname(at)) return at
  }
}

/** Whether the service runs on the folder, and who else holds it. */
export function examineServer({ dataDir }: Config): Finding {
  try {
    const lock = takeFolderLock(dataDir, 'serve', 'capture doctor')
    if (!isHeld(lock)) return ok('server', `Process ${lock.pid} holds the folder: ${lock.doing}, since ${lock.since}.`)
    lock.release()
    return ok('server', 'No `serve` runs on this data folder.')
  } catch (error) {
    return fault(
      'server',
      `The folder's lock cannot be read: ${(error as Error).message}.`,
      'See what is said of the data folder.',
    )
  }
}
