import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export const databaseFile = (dataDir: string): string => join(dataDir, 'capture.db')

/** An empty file is not a database yet: a killed first start may leave one, and the next start continues with it. */
export const isDatabaseMade = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Snapshots from before upgrades, oldest first. */
export function snapshotsIn(dataDir: string): string[] {
  const dir = join(dataDir, 'snapshots')
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.endsWith('.db'))
    .sort((one, other) => (timeIn(one) < timeIn(other) ? -1 : 1))
    .map((name) => join(dir, name))
}

/** Follows the occasion in a snapshot's name. */
const timeIn = (name: string): string => name.replace(/^[a-z-]+/, '')

/** Stands between the data folder's name and the time of the restore that moved it aside. */
export const asideMark = '.before-restore-'

/** Boxes that restores moved aside, latest first. */
export function boxesMovedAside(dataDir: string): string[] {
  const beginning = basename(dataDir) + asideMark
  return namesIn(dirname(dataDir))
    .filter((name) => name.startsWith(beginning))
    .map((name) => join(dirname(dataDir), name))
    .filter((dir) => isDatabaseMade(databaseFile(dir)))
    .sort()
    .reverse()
}

/** The names in a folder, in order; none if it is missing or unreadable. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
