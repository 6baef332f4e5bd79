import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { EventRecord, SubmissionRecord } from '../../../src/report/record.ts'
import { type ASite, writeSite } from '../../harness/a-site.ts'
import type { Ran } from '../../harness/capture-command.ts'
import { builtExecutable, placeExecutable } from '../../harness/executable.ts'
import { RunningProgram, RunningServer, runProgram } from './program.ts'

/** So many that a test which is not about budgets never meets one. */
const amplyMany = 1_000_000

export interface BoxOptions {
  /** Default: `./data` in the box's own folder. */
  dataDir?: string
  minFreeMb?: number
  /** `[server]` beside its listener on a free port. */
  server?: Record<string, unknown>
  https?: Record<string, unknown>
  mail?: Record<string, unknown>
  delivery?: Record<string, unknown>
  backup?: Record<string, unknown>
  console?: Record<string, unknown>
  /** A place of its own for the executable, `bin/capture`, where it may be replaced. */
  installs?: boolean
}

/** A folder with a `capture.toml`, on which the executable is run. Disposed of, its servers are killed and it is removed. */
export class BinaryBox implements AsyncDisposable {
  private readonly servers: RunningServer[] = []

  private constructor(
    readonly executable: string,
    readonly dir: string,
    readonly dataDir: string,
  ) {}

  static async make(options: BoxOptions = {}): Promise<BinaryBox> {
    const { dataDir, minFreeMb = 0, server, https, mail, delivery, backup, console, installs } = options
    const built = await builtExecutable()
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capture-binary-')))
    const executable = installs ? join(dir, 'bin/capture') : built
    if (installs) {
      mkdirSync(dirname(executable))
      placeExecutable(built, executable)
      // As an installer leaves them, whatever the umask: a command that ran in this process may have narrowed it.
      for (const path of [dirname(executable), executable]) chmodSync(path, 0o755)
    }
    const box = new BinaryBox(executable, dir, dataDir ?? join(dir, 'data'))
    const limits = {
      form_per_ip: amplyMany,
      form_per_origin: amplyMany,
      event_per_ip: amplyMany,
      event_per_origin: amplyMany,
      view_per_ip: amplyMany,
      click_per_ip: amplyMany,
      requests_per_ip: amplyMany,
      min_free_mb: minFreeMb,
    }
    const config = { data_dir: box.dataDir, server: { listen: '127.0.0.1:0', ...server }, limits }
    const sections = {
      ...(https && { https }),
      ...(mail && { mail }),
      ...(delivery && { delivery }),
      ...(backup && { backup }),
      ...(console && { console }),
    }
    writeFileSync(box.configFile, Bun.TOML.stringify({ ...config, ...sections }))
    if (installs) chmodSync(box.configFile, 0o644)
    return box
  }

  /** Another box with all that this one has, which nobody may be serving meanwhile. */
  async copy(options: BoxOptions = {}): Promise<BinaryBox> {
    const copy = await BinaryBox.make(options)
    this.copyTo(copy)
    return copy
  }

  /** Makes the other box, which nobody may be serving either, what this one is. */
  copyTo(other: BinaryBox): void {
    rmSync(other.dataDir, { recursive: true, force: true })
    cpSync(this.dataDir, other.dataDir, { recursive: true })
  }

  /** Adds a table to the configuration. */
  configure(name: string, table: Record<string, unknown>): void {
    const written = Bun.TOML.parse(readFileSync(this.configFile, 'utf8'))
    writeFileSync(this.configFile, Bun.TOML.stringify({ ...written, [name]: table }))
  }

  get configFile(): string {
    return join(this.dir, 'capture.toml')
  }

  get databaseFile(): string {
    return join(this.dataDir, 'capture.db')
  }

  async serve(env: Record<string, string> = {}): Promise<RunningServer> {
    const server = await RunningServer.start(this.configFile, { executable: this.executable, cwd: this.dir, env })
    this.servers.push(server)
    return server
  }

  /** Starts a command that the caller waits for, or kills. */
  start(argv: string[], env: Record<string, string> = {}): RunningProgram {
    return new RunningProgram([...argv, '--config', this.configFile], {
      executable: this.executable,
      cwd: this.dir,
      env,
    })
  }

  run(argv: string[], env: Record<string, string> = {}): Promise<Ran> {
    return runProgram([...argv, '--config', this.configFile], { executable: this.executable, cwd: this.dir, env })
  }

  /** What the command prints. @throws when it fails */
  async done(argv: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(argv)
    if (status !== 0) throw new Error(`capture ${argv.join(' ')} ended with ${status}:\n${stderr}`)
    return stdout
  }

  async apply(site: ASite): Promise<void> {
    const folder = join(this.dir, 'sites', site.account)
    writeSite(folder, site)
    await this.done(['apply', folder, '--accept', 'all'])
  }

  async submissions(): Promise<SubmissionRecord[]> {
    return parsedLines(await this.done(['export', 'acme', 'submissions']))
  }

  async events(): Promise<EventRecord[]> {
    return parsedLines(await this.done(['export', 'acme', 'events']))
  }

  /** The process that serves, whoever has started it; `null`: none does. */
  servingPid(): number | null {
    try {
      const { pid } = JSON.parse(readFileSync(join(this.dataDir, 'serve.holder.json'), 'utf8')) as { pid: number }
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`serve\0--config\0${this.configFile}`) ? pid : null
    } catch {
      return null
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server[Symbol.asyncDispose]()
    const pid = this.servingPid()
    if (pid !== null) process.kill(pid, 'SIGKILL')
    rmSync(this.dir, { recursive: true, force: true })
  }
}

const parsedLines = <T>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
