import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type ASite, writeSite } from '../../harness/a-site.ts'
import { runCommand } from '../../harness/capture-command.ts'
import { type Answer, type Sent, sendRequest } from '../../harness/http.ts'
import { processAll, replayLedger } from '../../harness/replayed-ledger.ts'
import { type ServerProcess, startServer } from '../../harness/server-process.ts'
import { HeldClock } from './held-clock.ts'

/** So many that nobody meets a budget: the month passes within seconds, and budgets go by the real time. */
const amplyMany = 1_000_000
const limits = {
  form_per_ip: amplyMany,
  form_per_origin: amplyMany,
  event_per_ip: amplyMany,
  event_per_origin: amplyMany,
  view_per_ip: amplyMany,
  click_per_ip: amplyMany,
  requests_per_ip: amplyMany,
  min_free_mb: 0,
}
/** Callers from everywhere, as a proxy in front names them. */
const trustedProxies = ['127.0.0.1']
const heldCapture = join(import.meta.dir, 'held-capture.ts')

/** A box whose service takes the time from the test; its commands are the real program's, in real time. */
export class HeldBox implements AsyncDisposable {
  private server: ServerProcess | null = null
  private replay: Pick<HeldBox, 'done'> | null = null

  private constructor(
    readonly dir: string,
    readonly clock: HeldClock,
  ) {}

  /** Publishes the sites and serves them. */
  static async start(sites: ASite[]): Promise<HeldBox> {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capture-truth-')))
    const box = new HeldBox(dir, new HeldClock(join(dir, 'clock')))
    const server = { listen: '127.0.0.1:0', trusted_proxies: trustedProxies }
    writeFileSync(box.configFile, Bun.TOML.stringify({ data_dir: './data', server, limits }))
    for (const site of sites) {
      const folder = join(dir, 'sites', site.account)
      writeSite(folder, site)
      await box.done(['apply', folder, '--accept', 'all'])
    }
    box.clock.set(Date.now())
    box.server = await startServer(box.configFile, dir, [process.execPath, heldCapture, box.clock.file])
    return box
  }

  get configFile(): string {
    return join(this.dir, 'capture.toml')
  }

  get databaseFile(): string {
    return join(this.dir, 'data', 'capture.db')
  }

  send(sent: Sent): Promise<Answer> {
    if (this.server === null) throw new Error('the service was stopped')
    return sendRequest(this.server.port, sent)
  }

  /** What a command prints. @throws when it fails */
  done(argv: string[]): Promise<string> {
    return done(argv, this.configFile, this.dir)
  }

  /** The records that a command prints, one JSON object a line. */
  async lines<Line>(argv: string[]): Promise<Line[]> {
    return parsedLines(await this.done(argv))
  }

  /** An empty box that is fed with this one's ledger, as it is when it is first asked for. */
  replayed(): Pick<HeldBox, 'done'> {
    this.replay ??= this.makeReplay()
    return this.replay
  }

  /** A box with this configuration, and another data folder. */
  beside(dataDir: string): Pick<HeldBox, 'done'> {
    const configFile = join(this.dir, `${basename(dataDir)}.toml`)
    writeFileSync(configFile, Bun.TOML.stringify({ data_dir: dataDir, server: { listen: '127.0.0.1:0' }, limits }))
    return { done: (argv) => done(argv, configFile, this.dir) }
  }

  private makeReplay(): Pick<HeldBox, 'done'> {
    const file = join(this.dir, 'replay', 'capture.db')
    replayLedger(this.databaseFile, file)
    processAll(file, 500)
    return this.beside(dirname(file))
  }

  /** Ends the service and waits until it has. @throws when it ended badly */
  async stopServing(): Promise<void> {
    const { server } = this
    this.server = null
    await server?.stop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stopServing()
    } finally {
      rmSync(this.dir, { recursive: true, force: true })
    }
  }
}

async function done(argv: string[], configFile: string, dir: string): Promise<string> {
  const { status, stdout, stderr } = await runCommand([...argv, '--config', configFile], dir)
  if (status !== 0) throw new Error(`capture ${argv.join(' ')} ended with ${status}:\n${stderr}`)
  return stdout
}

export const parsedLines = <Line>(text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
