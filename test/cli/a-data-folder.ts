import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { type Ran, runCommand } from '../harness/capture-command.ts'

/** A box that nobody serves: a folder with a `capture.toml`, and commands run in it. Gone when it is disposed of. */
export class ADataFolder implements Disposable {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'capture-data-')))
  readonly dataDir = join(this.dir, 'data')

  constructor(private readonly toml = '') {
    writeFileSync(join(this.dir, 'capture.toml'), `data_dir = "./data"\n${toml}`)
  }

  /** A box on which the site has been published. */
  static async with(site: ASite = aSite()): Promise<ADataFolder> {
    const folder = new ADataFolder()
    await folder.apply(site)
    return folder
  }

  /** Another box with all that this one has. */
  copy(): ADataFolder {
    const copy = new ADataFolder(this.toml)
    cpSync(this.dataDir, copy.dataDir, { recursive: true })
    return copy
  }

  async apply(site: ASite, ...options: string[]): Promise<Ran> {
    const dir = join(this.dir, 'sites', site.account)
    rmSync(dir, { recursive: true, force: true })
    writeSite(dir, site)
    return this.done(['apply', dir, '--accept', 'all', ...options])
  }

  path(name: string): string {
    return join(this.dir, name)
  }

  run(argv: string[]): Promise<Ran> {
    return runCommand(argv, this.dir)
  }

  /** Runs what has to succeed. */
  async done(argv: string[]): Promise<Ran> {
    const ran = await this.run(argv)
    if (ran.status !== 0) throw new Error(`capture ${argv.join(' ')} ended with ${ran.status}: ${ran.stderr}`)
    return ran
  }

  /** What a command prints as JSON. */
  async json(argv: string[]): Promise<Record<string, unknown>> {
    return JSON.parse((await this.done([...argv, '--json'])).stdout)
  }

  /** Processes all records: on a busy machine a command leaves some of many to the next one. */
  async process(): Promise<void> {
    while ((await this.json(['report', 'acme'])).waiting !== 0);
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true })
  }
}
