import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { byteSize } from '../../lib/quantities.ts'
import { sealKeyName } from '../../lib/seal.ts'
import { sealKeyFile } from '../../storage/disk/seal-key-file.ts'
import { snapshotsIn } from '../../storage/filesystem/data-folder.ts'
import { freeBytes } from '../../storage/filesystem/free-space.ts'
import { shellLine } from '../data-folder/data-owner.ts'
import { boxDatabases } from '../open.ts'
import type { Candidate } from './candidate.ts'
import type { Installed } from './installed.ts'
import { type ProgramRun, runProgram, type Workplace } from './workplace.ts'

/** The copy, another one to try the migration on, the snapshot that a migration writes, and its log. */
const copiesAtOnce = 4
const spareBytes = 64 * 1024 * 1024
const doctorMsMax = 5 * 60_000
const migrationMsMax = 60 * 60_000
const linesShown = 6
const migrationMark = 'before-migration-'
const upgradeMark = 'before-upgrade-'

interface Tested {
  /** The database as it was, verified. */
  copy: string
  migrates: boolean
}

/**
 * Lets the new executable bring a copy of the database up to date and look at it, and compares what it finds with what the
 * present one finds. The service itself is not started: it might send from the copy what the box will send as well.
 *
 * @returns `null`: there is no database yet
 * @throws OperatorError when there is no room, or the new one finds a fault that the present one does not
 */
export async function selfTest(
  installed: Installed,
  candidate: Candidate,
  workplace: Workplace & { isRollback: boolean },
): Promise<Tested | null> {
  const { dataDir, scratch, asOwner, isRollback } = workplace
  const database = join(dataDir, 'capture.db')
  if (scratch === null || !existsSync(database)) return null
  await assertRoom(dataDir, statSync(database).size)
  const copy = join(scratch, 'capture.db')
  const tried = join(scratch, 'tried')
  const { copyDatabase } = await boxDatabases()
  asOwner(() => {
    copyDatabase(database, copy)
    mkdirSync(tried, { mode: 0o700 })
    copyFileSync(copy, join(tried, 'capture.db'), constants.COPYFILE_FICLONE)
    if (existsSync(sealKeyFile(database))) copyFileSync(sealKeyFile(database), join(tried, sealKeyName))
  })
  const run = runsOn(tried, workplace)
  const known = faultsIn(await run(installed.path, ['doctor', '--json'], doctorMsMax))
  const first = faultsIn(await run(candidate.file, ['doctor', '--json'], doctorMsMax))
  if (isRollback && first.some(({ check }) => check === 'schema')) throw changedSince(installed, candidate, dataDir)
  const migrated = await run(candidate.file, ['account', 'list', '--json'], migrationMsMax)
  if (migrated.status !== 0) throw refusal('cannot work on a copy of the database', migrated)
  const looked = await run(candidate.file, ['doctor', '--json'], doctorMsMax)
  if (looked.stdout.trim() === '') throw refusal('fails at `doctor` on a copy of the database', looked)
  const found = faultsIn(looked).filter(({ check }) => !known.some((fault) => fault.check === check))
  if (found.length > 0) throw newFaults(found)
  return { copy, migrates: asOwner(() => namesIn(join(tried, 'snapshots'), migrationMark).length > 0) }
}

/** Keeps the copy as the snapshot of before this upgrade, in the place of the one before the last. */
export function keepSnapshot(copy: string, dataDir: string, now: number): void {
  const folder = join(dataDir, 'snapshots')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const earlier = namesIn(folder, upgradeMark)
  renameSync(copy, join(folder, `${upgradeMark}${new Date(now).toISOString().replaceAll(/[:.]/g, '')}.db`))
  for (const name of earlier) rmSync(join(folder, name), { force: true })
}

const namesIn = (folder: string, mark: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(mark)) : []

async function assertRoom(dataDir: string, databaseBytes: number): Promise<void> {
  const needed = databaseBytes * copiesAtOnce + spareBytes
  const free = await freeBytes(dataDir)
  if (free >= needed) return
  throw new OperatorError(
    `The new version is tried on a copy of the database first. For that and the snapshot ${byteSize(needed)} must be free on the disk of ${dataDir}; ${byteSize(free)} are. Free some space. Nothing was changed.`,
  )
}

function runsOn(dataDir: string, { configFile, env, user }: Workplace) {
  const config = configFile === null ? [] : ['--config', configFile]
  const options = { env: { ...env, CAPTURE_DATA_DIR: dataDir }, user }
  return (file: string, argv: string[], timeoutMs: number): Promise<ProgramRun> =>
    runProgram(file, [...argv, ...config], { ...options, timeoutMs }).catch((error: Error) => {
      const as = user === null ? '' : ` as the owner of the data folder (user ${user.uid})`
      throw new OperatorError(`${file} cannot be run${as}: ${error.message}. Nothing was changed.`)
    })
}

interface Fault {
  check: string
  found: string
}

function faultsIn({ stdout }: ProgramRun): Fault[] {
  try {
    const { checks } = JSON.parse(stdout) as { checks: (Fault & { status: string })[] }
    return checks.filter(({ status }) => status === 'fault')
  } catch {
    return []
  }
}

function newFaults(faults: Fault[]): OperatorError {
  const lines = faults.map(({ check, found }) => `  ${check}: ${found}`).join('\n')
  return new OperatorError(`The new version finds what this one does not:\n${lines}\nNothing was changed.`)
}

function refusal(what: string, { status, stderr }: ProgramRun): OperatorError {
  const lines = stderr.trim().split('\n').slice(0, linesShown)
  const output = lines.map((line) => `\n  ${line.slice(0, 500)}`).join('')
  return new OperatorError(
    `The new version ${what} (${status === null ? 'it did not end by itself' : `exit status ${status}`}):${output}\nNothing was changed.`,
  )
}

/** Going back would need the database as it was: that is for the operator to decide. */
function changedSince({ path, previous }: Installed, { version }: Candidate, dataDir: string): OperatorError {
  const snapshot = snapshotsIn(dataDir).findLast((file) => file.includes(migrationMark))
  const refused = `Version ${version} cannot read the database any more: it was changed for the version that is installed. Nothing was changed.`
  if (snapshot === undefined) return new OperatorError(`${refused} There is no earlier snapshot either.`)
  return new OperatorError(
    `${refused}\nTo go back nevertheless, stop the service and restore the snapshot from before that change. It lacks what was captured since then, which stays in the folder that the restore moves aside, and the restore says how much that is.\n  ${shellLine([previous, 'restore', snapshot])}\n  ${shellLine(['mv', previous, path])}\nThen start the service again.`,
  )
}
