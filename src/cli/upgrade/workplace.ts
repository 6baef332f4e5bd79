import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cleanUpWhenInterrupted } from '../../lib/interruption.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { makeScratchFolder } from '../../storage/filesystem/scratch-folder.ts'
import { isHeld, takeFolderLock } from '../../storage/lock/folder-lock.ts'
import { actingOwner } from '../data-folder/data-owner.ts'
import type { Installed } from './installed.ts'

interface WorkplaceOptions {
  dataDir: string
  /** Absolute; `null`: the built-in defaults hold. */
  configFile: string | null
  installed: Installed
  typed: string[]
  check: boolean
  env: Record<string, string | undefined>
}

/** Where an upgrade puts what it works with. All of it is gone when the upgrade is over, however that ends. */
export interface Workplace {
  dataDir: string
  configFile: string | null
  env: Record<string, string | undefined>
  staged: string
  /** A folder of the data folder's owner; `null`: there is no data folder yet. */
  scratch: string | null
  /** Whom the executables run as; `null`: as whoever runs this. */
  user: { uid: number; gid: number } | null
  /** Does its work with the rights of the data folder's owner. */
  asOwner: <T>(work: () => T) => T
}

/** @throws OperatorError when another upgrade is under way */
export async function withWorkplace<T>(
  options: WorkplaceOptions,
  work: (workplace: Workplace) => Promise<T>,
): Promise<T> {
  const { dataDir, configFile, env, typed } = options
  const asOwner = ownersRights(dataDir, typed)
  const hasData = existsSync(dataDir)
  // What is made in the data folder is its owner's alone.
  process.umask(0o077)
  const lock = hasData ? asOwner(() => takeFolderLock(dataDir, 'upgrade', 'capture upgrade')) : null
  if (lock !== null && !isHeld(lock)) {
    throw new OperatorError(
      `Process ${lock.pid} upgrades this box already, since ${lock.since}. Wait until it has ended.`,
    )
  }
  const staging = stagingOf(options)
  const scratch = hasData ? asOwner(() => makeScratchFolder(join(dataDir, 'capture.db'), dataDir)) : null
  const settle = cleanUpWhenInterrupted(staging.remove)
  try {
    const user = userOf(dataDir)
    return await work({ dataDir, configFile, env, staged: staging.file, scratch: scratch?.dir ?? null, user, asOwner })
  } finally {
    settle()
    staging.remove()
    asOwner(() => scratch?.remove())
    lock?.release()
  }
}

/** Beside the executable that is replaced, since only within one volume can files be renamed. */
function stagingOf({ check, installed }: WorkplaceOptions): { file: string; remove: () => void } {
  if (!check) {
    return { file: installed.stage(), remove: () => installed.clearStaged() }
  }
  const folder = mkdtempSync(join(tmpdir(), 'capture-upgrade-'))
  // The owner of the data folder runs what lies in it.
  chmodSync(folder, 0o711)
  return { file: join(folder, 'capture'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Work that is asynchronous keeps the rights until it is over. */
function ownersRights(dataDir: string, typed: string[]) {
  const owner = actingOwner({ dataDir, typed })
  return <T>(work: () => T): T => {
    owner.begin()
    let result: T
    try {
      result = work()
    } catch (error) {
      owner.end()
      throw error
    }
    if (!(result instanceof Promise)) owner.end()
    else void result.then(owner.end, owner.end)
    return result
  }
}

/** Root runs executables as the owner of the data folder. */
function userOf(dataDir: string): Workplace['user'] {
  const owner = statSync(dataDir, { throwIfNoEntry: false })
  if (process.getuid?.() !== 0 || owner === undefined || owner.uid === 0) return null
  return { uid: owner.uid, gid: owner.gid }
}

const outputBytesMax = 1024 * 1024

export interface ProgramRun {
  /** `null`: it was ended from outside, such as by the time limit. */
  status: number | null
  stdout: string
  stderr: string
}

interface ProgramOptions {
  env: Record<string, string | undefined>
  timeoutMs: number
  /** Whom it runs as; `null`: as whoever runs this. */
  user: { uid: number; gid: number } | null
}

/** Runs an executable to its end. @throws when it cannot be started */
export async function runProgram(
  file: string,
  argv: string[],
  { env, timeoutMs, user }: ProgramOptions,
): Promise<ProgramRun> {
  const child = Bun.spawn([file, ...argv], {
    cwd: dirname(file),
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(user ?? {}),
  })
  const [stdout, stderr] = await Promise.all([beginningOf(child.stdout), beginningOf(child.stderr)])
  await child.exited
  return { status: child.exitCode, stdout, stderr }
}

async function beginningOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    if (bytes < outputBytesMax) chunks.push(chunk)
    bytes += chunk.length
  }
  return Buffer.concat(chunks).toString('utf8', 0, outputBytesMax)
}
