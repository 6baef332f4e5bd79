import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { constants, copyFile, mkdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newShortId } from '../../lib/id.ts'
import { cleanUpWhenInterrupted } from '../../lib/interruption.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { RepairPlace } from '../../operations/database/repair.ts'
import { syncPath } from '../disk/synced.ts'

/** Neither locks, nor what belongs to the old database: targets of backups get a new history. */
const leftBehind = /^(?:capture\.db.*|.*\.lock|.*\.holder\.json|snapshots|targets)$/

/** @throws OperatorError if the folder is there, or cannot be made */
export function beginRepair(dataDir: string, to: string): RepairPlace {
  if (!existsSync(dataDir)) throw new OperatorError(`There is no data folder ${dataDir}. Set data_dir.`)
  if (existsSync(to)) throw new OperatorError(`${to} is there already. Name a new folder: --to DIR.`)
  const staged = `${to}.repairing-${newShortId()}`
  const discard = (): void => rmSync(staged, { recursive: true, force: true })
  const settle = cleanUpWhenInterrupted(discard)
  try {
    const { uid, gid } = statSync(dataDir)
    mkdirSync(staged, { mode: 0o700, recursive: true })
    if (process.geteuid?.() === 0) chownSync(staged, uid, gid)
  } catch (error) {
    discard()
    throw new OperatorError(`The folder ${staged} cannot be made: ${(error as Error).message}. Name another: --to DIR.`)
  }
  return {
    staged,
    copyFiles: () => copyFolder(dataDir, staged),
    async finish() {
      settle()
      await syncPath(staged)
      renameSync(staged, to)
      await syncPath(dirname(to)).catch(() => {})
    },
    discard() {
      settle()
      discard()
    },
  }
}

async function copyFolder(from: string, to: string): Promise<string[]> {
  const missing: string[] = []
  for (const name of readdirSync(from)) {
    if (!leftBehind.test(name)) await copyInto(from, to, { name, missing })
  }
  return missing
}

/** Links stay links: a key may lie elsewhere. Sockets belong to a process. */
async function copyInto(from: string, to: string, { name, missing }: { name: string; missing: string[] }) {
  const source = join(from, name)
  const target = join(to, name)
  try {
    const stat = lstatSync(source)
    if (stat.isDirectory()) {
      await mkdir(target, { mode: stat.mode & 0o777 })
      for (const inner of readdirSync(source)) await copyInto(source, target, { name: inner, missing })
    } else if (stat.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (stat.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (['ENOSPC', 'EDQUOT', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    missing.push(source)
  }
}
