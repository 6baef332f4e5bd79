import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { sealKeyName } from '../../lib/seal.ts'
import type { StagedDatabase } from '../../operations/cluster/join.ts'
import { syncPath, syncPathNow } from '../disk/synced.ts'
import { databaseFile, isDatabaseMade, namesIn } from './data-folder.ts'
import { freeBytes } from './free-space.ts'

/** In the data folder: the copy of the leader's database that is being written, and one that is whole. */
const unfinishedName = 'joining'
const finishedMark = 'joined-'
/** In the data folder: databases that such a copy has replaced, each in a folder with the time of its name. */
const astrayName = 'astray'
/** Each is as large as the database. */
const astrayMax = 3

/**
 * Begins a folder for the database with which a node joins its cluster anew.
 *
 * @throws OperatorError when there is no room for it
 */
export async function stageJoined(dataDir: string, bytes: number): Promise<StagedDatabase> {
  const kept = astrayDatabases(dataDir)
  if (kept.length >= astrayMax)
    throw new OperatorError(
      `${join(dataDir, astrayName)} holds ${kept.length} databases from before this node joined anew. Look for what they hold, and delete them.`,
    )
  const staged = join(dataDir, unfinishedName)
  rmSync(staged, { recursive: true, force: true })
  if ((await freeBytes(dataDir)) < bytes)
    throw new OperatorError(`The disk of ${dataDir} has no room for a second copy of the database, which is needed.`)
  mkdirSync(staged, { mode: 0o700 })
  return {
    staged,
    async finish(now) {
      await syncPath(staged)
      const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '')
      renameSync(staged, join(dataDir, finishedMark + stamp))
      await syncPath(dataDir)
    },
    discard: () => rmSync(staged, { recursive: true, force: true }),
  }
}

/**
 * Puts a database with which the node joined anew in place of the present one, which moves to `astray`. May be killed at any
 * step, and goes on at the next call. Call as the holder of `serve.lock`, before anything opens the database.
 *
 * @returns where the present database went; `null`: there is none to put in place
 */
export function placeJoined(dataDir: string): string | null {
  rmSync(join(dataDir, unfinishedName), { recursive: true, force: true })
  const finished = namesIn(dataDir).filter((name) => name.startsWith(finishedMark))
  const latest = finished.pop()
  for (const name of finished) rmSync(join(dataDir, name), { recursive: true, force: true })
  if (latest === undefined) return null
  const joined = join(dataDir, latest)
  const aside = join(dataDir, astrayName, latest.slice(finishedMark.length))
  // It moves last: while it is there, something may be left to do.
  if (isDatabaseMade(databaseFile(joined))) exchange({ dataDir, joined, aside })
  rmSync(joined, { recursive: true, force: true })
  syncPathNow(dataDir)
  return aside
}

/** What processes have open moves along with its log: they go on with the database that they opened. */
function exchange({ dataDir, joined, aside }: { dataDir: string; joined: string; aside: string }): void {
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  const database = databaseFile(dataDir)
  for (const file of [database, `${database}-wal`, `${database}-shm`])
    if (existsSync(file)) renameSync(file, join(aside, basename(file)))
  const [key, joinedKey] = [join(dataDir, sealKeyName), join(joined, sealKeyName)]
  if (existsSync(joinedKey)) {
    if (existsSync(key)) copyFileSync(key, join(aside, sealKeyName))
    renameSync(joinedKey, key)
  }
  for (const folder of [aside, dataDir]) syncPathNow(folder)
  renameSync(databaseFile(joined), database)
}

/** Whether a service that opens the folder gets its database from a copy that lies in it: it was killed between two moves. */
export const awaitsJoined = (dataDir: string): boolean =>
  namesIn(dataDir).some((name) => name.startsWith(finishedMark) && isDatabaseMade(databaseFile(join(dataDir, name))))

/** The folders of databases that were replaced, oldest first. */
export const astrayDatabases = (dataDir: string): string[] =>
  namesIn(join(dataDir, astrayName))
    .map((name) => join(dataDir, astrayName, name))
    .filter((folder) => isDatabaseMade(databaseFile(folder)))

export const removeAstray = (folder: string): void => rmSync(folder, { recursive: true, force: true })
