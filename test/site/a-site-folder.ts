import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readSiteFolder, type SiteFolder } from '../../src/site/folder.ts'
import { SiteFaults, siteFaultLine } from '../../src/site/site-faults.ts'

/** The keys that every site.toml needs. */
export const smallest = 'account = "acme"\nname = "Acme Studio"\ndomains = ["go.acme.example"]\n'

/** A real temporary folder that holds a site. Gone when it is disposed of. */
export class ASiteFolder implements Disposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'capture-site-')))
  readonly dir = join(this.base, 'acme')

  /** `site.toml`: the smallest possible, then `toml`. */
  constructor(toml = '', files: string[] = []) {
    this.write('site.toml', smallest + toml)
    for (const file of files) this.write(file)
  }

  write(path: string, content: string | Uint8Array = 'x'): this {
    mkdirSync(dirname(join(this.dir, path)), { recursive: true })
    writeFileSync(join(this.dir, path), content)
    return this
  }

  link(path: string, target: string): this {
    mkdirSync(dirname(join(this.dir, path)), { recursive: true })
    symlinkSync(target, join(this.dir, path))
    return this
  }

  read(env: Record<string, string> = {}): Promise<SiteFolder> {
    return readSiteFolder(this.dir, env)
  }

  /** The faults as lines; empty when there are none. */
  async faults(env: Record<string, string> = {}): Promise<string[]> {
    try {
      await this.read(env)
      return []
    } catch (error) {
      if (error instanceof SiteFaults) return error.faults.map(siteFaultLine)
      throw error
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true })
  }
}
