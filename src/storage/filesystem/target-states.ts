import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TargetState, type TargetStates, unknownTarget } from '../../backup/target-state.ts'
import { syncPathNow } from '../disk/synced.ts'
import { type FolderLock, takeFileLock } from '../lock/folder-lock.ts'

/** How long another process may take to store a state, in milliseconds. */
const changeMsMax = 10_000
/** How long another process may take to find out where to continue at a slow target, in milliseconds. */
const workMsMax = 120_000
const pollMs = 50

/** One small file for each target in the data folder. It can be lost: a new history begins then. */
export class FileTargetStates implements TargetStates {
  private readonly folder: string

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'targets')
  }

  read(url: string): TargetState {
    try {
      return { ...unknownTarget(url), ...(JSON.parse(readFileSync(this.fileOf(url), 'utf8')) as TargetState), url }
    } catch {
      return unknownTarget(url)
    }
  }

  change(url: string, to: (stored: TargetState) => Partial<TargetState>): TargetState {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const lock = this.changeLock(url)
    try {
      const stored = this.read(url)
      const state = { ...stored, ...to(stored) }
      this.replace(stored, state)
      return state
    } finally {
      lock.release()
    }
  }

  async exclusively<T>(url: string, work: () => Promise<T>): Promise<T> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const lock = await this.workLock(url)
    try {
      return await work()
    } finally {
      lock.release()
    }
  }

  private changeLock(url: string): FolderLock {
    for (let waitedMs = 0; waitedMs < changeMsMax; waitedMs++) {
      const lock = takeFileLock(`${this.fileOf(url)}.change.lock`)
      if (lock !== null) return lock
      Bun.sleepSync(1)
    }
    throw new Error('another process of this box does not finish storing its state')
  }

  private async workLock(url: string): Promise<FolderLock> {
    for (let waitedMs = 0; waitedMs < workMsMax; waitedMs += pollMs) {
      const lock = takeFileLock(`${this.fileOf(url)}.work.lock`)
      if (lock !== null) return lock
      await Bun.sleep(pollMs)
    }
    throw new Error('another process of this box is still looking at it')
  }

  private replace(stored: TargetState, state: TargetState): void {
    const file = this.fileOf(state.url)
    // Durable before the target names them: after a power failure, the folder would take a run of its own for a copy's.
    const isClaim = !Bun.deepEquals(state.runs, stored.runs)
    const unfinished = `${file}.unfinished`
    writeFileSync(unfinished, JSON.stringify(state), { mode: 0o600 })
    if (isClaim) syncPathNow(unfinished)
    renameSync(unfinished, file)
    if (isClaim) syncPathNow(this.folder)
  }

  private fileOf(url: string): string {
    return join(this.folder, `${Bun.SHA256.hash(url, 'hex').slice(0, 16)}.json`)
  }
}
