import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { type Ran, runCommand } from '../harness/capture-command.ts'

/** A file or a folder below a data folder. */
interface KeptEntry {
  path: string
  mode: number
  /** `null`: a folder. */
  bytes: Uint8Array | null
}

const plainSite = aSite()

/** By site, the box that its first publish made: making one takes a command of 100 ms, and most tests begin with the same. */
const published = new WeakMap<ASite, { dir: string; entries: KeptEntry[] }>()

/** A box that nobody serves: a folder with a `capture.toml`, and commands run in it. Gone when it is disposed of. */
export class ADataFolder implements Disposable {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'capture-data-')))
  readonly dataDir = join(this.dir, 'data')

  constructor(private readonly toml = '') {
    writeFileSync(join(this.dir, 'capture.toml'), `data_dir = "./data"\n${toml}`)
  }

  /** A box on which the site has been published. Those of one test file with the same site are copies of one box. */
  static async with(site: ASite = plainSite): Promise<ADataFolder> {
    const folder = new ADataFolder()
    const kept = published.get(site)
    if (kept === undefined) {
      await folder.apply(site)
      published.set(site, { dir: folder.dir, entries: entriesBelow(folder.dataDir) })
      return folder
    }
    writeSite(folder.siteDir(site), site)
    mkdirSync(folder.dataDir, { mode: 0o700 })
    for (const entry of kept.entries) place(folder.dataDir, entry)
    // It names the configuration that the box was used with.
    const note = join(folder.dataDir, 'used-by.json')
    writeFileSync(note, readFileSync(note, 'utf8').replace(kept.dir, folder.dir))
    return folder
  }

  /** Another box with all that this one has. */
  copy(): ADataFolder {
    const copy = new ADataFolder(this.toml)
    cpSync(this.dataDir, copy.dataDir, { recursive: true })
    return copy
  }

  async apply(site: ASite, ...options: string[]): Promise<Ran> {
    const dir = this.siteDir(site)
    rmSync(dir, { recursive: true, force: true })
    writeSite(dir, site)
    return this.done(['apply', dir, '--accept', 'all', ...options])
  }

  private siteDir = ({ account }: ASite): string => join(this.dir, 'sites', account)

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

const entriesBelow = (dir: string): KeptEntry[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const stat = statSync(join(dir, path))
      return { path, mode: stat.mode & 0o777, bytes: stat.isDirectory() ? null : readFileSync(join(dir, path)) }
    })

function place(dir: string, { path, mode, bytes }: KeptEntry): void {
  if (bytes === null) mkdirSync(join(dir, path), { mode })
  else writeFileSync(join(dir, path), bytes, { mode })
}
