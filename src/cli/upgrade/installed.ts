import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  linkSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { newShortId } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { packagedExecutable } from '../../release/built-in.ts'
import { syncPath } from '../../storage/disk/synced.ts'
import { shellLine } from '../data-folder/data-owner.ts'

const stagedMark = '.upgrading-'

/** The executable of the running program, with those beside it. */
export class Installed {
  /** What `replaceBy` found beside it; `null`: it was not called. */
  private replaced: { older: string | null } | null = null

  private constructor(
    readonly path: string,
    readonly previous: string,
  ) {}

  /** @throws OperatorError when it is run from its sources, or is a package's */
  static ofThisProgram(): Installed {
    if (!Bun.isStandaloneExecutable) throw new OperatorError('Only the built executable can be upgraded: bun run build')
    const path = realpathSync(process.execPath)
    if (path === packagedExecutable) {
      throw new OperatorError(
        `${path} is the package's: upgrade the package, as by sudo apt install ./capture_VERSION_ARCHITECTURE.deb`,
      )
    }
    return new Installed(path, `${path}.previous`)
  }

  get hasPrevious(): boolean {
    return existsSync(this.previous)
  }

  /** @throws OperatorError with what to do instead */
  assertReplaceable(typed: string[]): void {
    const folder = dirname(this.path)
    if (statSync(this.previous, { throwIfNoEntry: false })?.isDirectory()) {
      throw new OperatorError(`The version before is kept as ${this.previous}, which is a folder: move it away.`)
    }
    try {
      accessSync(folder, constants.W_OK)
    } catch {
      throw new OperatorError(
        `The executable is to be replaced, and this user may not write to ${folder}. Type: ${shellLine(['sudo', ...typed])}`,
      )
    }
  }

  /** A file beside it that is still to be written. What killed upgrades have left there goes. */
  stage(): string {
    this.clearStaged()
    return this.stagedFile()
  }

  /** Removes whatever an upgrade put beside it and did not use. */
  clearStaged(): void {
    const folder = dirname(this.path)
    for (const name of readdirSync(folder)) {
      if (name.startsWith(this.mark)) rmSync(join(folder, name), { force: true })
    }
  }

  /** Puts a staged file in its place; at any moment there is a whole executable, the old one or the new. */
  async replaceBy(staged: string): Promise<void> {
    const { uid, gid, mode } = statSync(this.path)
    if (process.getuid?.() === 0) chownSync(staged, uid, gid)
    chmodSync(staged, mode & 0o777)
    const kept = `${staged}.previous`
    linkSync(this.path, kept)
    const older = this.hasPrevious ? `${staged}.older` : null
    if (older !== null) linkSync(this.previous, older)
    this.replaced = { older }
    renameSync(kept, this.previous)
    // Two names of one file are left as they are by rename(2).
    rmSync(kept, { force: true })
    renameSync(staged, this.path)
    await syncPath(dirname(this.path))
  }

  /** Puts the version before in its place again, and beside it what stood there before `replaceBy`. */
  async goBack(): Promise<void> {
    const staged = this.stagedFile()
    linkSync(this.previous, staged)
    renameSync(staged, this.path)
    rmSync(staged, { force: true })
    if (this.replaced !== null) this.restorePrevious(this.replaced)
    await syncPath(dirname(this.path))
  }

  private restorePrevious({ older }: { older: string | null }): void {
    if (older === null) rmSync(this.previous)
    else renameSync(older, this.previous)
  }

  private get mark(): string {
    return `.${basename(this.path)}${stagedMark}`
  }

  private stagedFile(): string {
    return join(dirname(this.path), this.mark + newShortId())
  }
}
