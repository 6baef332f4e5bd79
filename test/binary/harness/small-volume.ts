import { closeSync, mkdtempSync, openSync, realpathSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const fillerName = 'filler'
const chunkBytes = 64 * 1024
const smallestBytes = 512

/** A volume of a few megabytes in memory, which a test may fill. Disposed of, it is unmounted. */
export class SmallVolume implements Disposable {
  private filler: number | null = null

  private constructor(readonly dir: string) {}

  /** Whether this process may mount one at all; if not, says loudly what is skipped. */
  static isPossible(what: string): boolean {
    try {
      SmallVolume.mount(1)[Symbol.dispose]()
      return true
    } catch (error) {
      process.stderr.write(`\n!!! SKIPPED: ${what}, since a tmpfs cannot be mounted here (${error})\n\n`)
      return false
    }
  }

  /** @throws when mounting is not possible here, with what mount(8) said */
  static mount(megabytes: number): SmallVolume {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capture-volume-')))
    const { exitCode, stderr } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir])
    if (exitCode === 0) return new SmallVolume(dir)
    rmdirSync(dir)
    throw new Error(`mount: ${stderr.toString().trim()}`)
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.dir)
    return bavail * bsize
  }

  /** Writes until there is no room left, or as much as it is told to. */
  fill(bytesMax = Number.POSITIVE_INFINITY): void {
    this.filler ??= openSync(join(this.dir, fillerName), 'w')
    let left = bytesMax
    for (let size = chunkBytes; size >= smallestBytes && left > 0; ) {
      const written = writeOrNothing(this.filler, Math.min(size, left))
      left -= written
      if (written === 0) size /= 2
    }
  }

  /** Makes room again. */
  free(): void {
    if (this.filler === null) return
    closeSync(this.filler)
    this.filler = null
    rmSync(join(this.dir, fillerName))
  }

  /** Makes it read-only, or writable again. Not possible while somebody has a file of it open for writing. */
  remount(mode: 'ro' | 'rw'): void {
    const { exitCode, stderr } = Bun.spawnSync(['mount', '-o', `remount,${mode}`, this.dir])
    if (exitCode !== 0) throw new Error(`mount: ${stderr.toString().trim()}`)
  }

  [Symbol.dispose](): void {
    this.free()
    // Lazily: a process that is about to end may still stand in it.
    Bun.spawnSync(['umount', '--lazy', this.dir])
    rmdirSync(this.dir)
  }
}

function writeOrNothing(file: number, bytes: number): number {
  try {
    return writeSync(file, new Uint8Array(bytes))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 0
    throw error
  }
}
