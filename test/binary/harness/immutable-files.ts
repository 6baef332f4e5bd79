import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** On a disk, which memory does not stand for: its files can always be written to. */
export const diskFolder = '/var/tmp'

/**
 * Files that refuse every write, also of who has them open already: as near as one comes to a disk that turns read-only
 * under a running program (a volume with open files cannot be remounted). Disposed of, they can be written to again.
 */
export class ImmutableFiles implements Disposable {
  private constructor(private readonly paths: string[]) {}

  static make(paths: string[]): ImmutableFiles {
    const { exitCode, stderr } = Bun.spawnSync(['chattr', '+i', ...paths])
    if (exitCode === 0) return new ImmutableFiles(paths)
    throw new Error(`chattr: ${stderr.toString().trim()}`)
  }

  /** Whether this user may make them, on a file system that keeps to it; if not, says loudly what is skipped. */
  static isPossible(what: string): boolean {
    const dir = mkdtempSync(join(diskFolder, 'capture-immutable-'))
    const file = join(dir, 'file')
    const descriptor = openSync(file, 'w')
    try {
      using _made = ImmutableFiles.make([file])
      if (refusesWrites(descriptor)) return true
      throw new Error(`the file system of ${dir} lets them be written to`)
    } catch (error) {
      process.stderr.write(`\n!!! SKIPPED: ${what}, since files cannot be made immutable here (${error})\n\n`)
      return false
    } finally {
      closeSync(descriptor)
      rmSync(dir, { recursive: true, force: true })
    }
  }

  [Symbol.dispose](): void {
    Bun.spawnSync(['chattr', '-i', ...this.paths])
  }
}

function refusesWrites(descriptor: number): boolean {
  try {
    writeSync(descriptor, 'x')
    return false
  } catch {
    return true
  }
}
