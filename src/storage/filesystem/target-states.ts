import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TargetState, type TargetStates, unknownTarget } from '../../backup/target-state.ts'
import { newShortId } from '../../lib/id.ts'
import { syncPathNow } from '../disk/synced.ts'

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

  write(state: TargetState): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const file = this.fileOf(state.url)
    // Durable before the target names them: after a power failure, the folder would take a run of its own for a copy's.
    const isClaim = !Bun.deepEquals(state.runs, this.read(state.url).runs)
    // Of its own name: a command, or the process that takes over, may write the state of the same target.
    const unfinished = `${file}.unfinished-${newShortId()}`
    try {
      writeFileSync(unfinished, JSON.stringify(state), { mode: 0o600 })
      if (isClaim) syncPathNow(unfinished)
      renameSync(unfinished, file)
    } finally {
      rmSync(unfinished, { force: true })
    }
    if (isClaim) syncPathNow(this.folder)
  }

  private fileOf(url: string): string {
    return join(this.folder, `${Bun.SHA256.hash(url, 'hex').slice(0, 16)}.json`)
  }
}
