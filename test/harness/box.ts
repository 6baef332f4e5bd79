import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventRecord, SubmissionRecord } from '../../src/report/record.ts'
import { type ASite, writeSite } from './a-site.ts'
import { type Ran, runCommand, runHere } from './capture-command.ts'
import { eventually } from './eventually.ts'
import { type Answer, type Sent, sendRequest } from './http.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** What a test's `capture.toml` says otherwise than the harness does. */
export interface BoxConfig {
  server?: { listen?: string; preview_host?: string; preview_subdomains?: boolean; trusted_proxies?: string[] }
  /** `defaults`: nothing at all is said of them. Not said: more than any test asks for. */
  limits?: (Partial<Record<LimitKey, number>> & { clamd?: string }) | 'defaults'
  /** Not said: closed on this machine's own address. */
  console?: { host?: string; listen?: string; origins?: string[] }
  operator?: { listen?: string }
  log?: { audit?: boolean; level?: string }
  delivery?: { allow_private?: string[] }
  mail?: { host: string; port: number; security: string; from: string; senders?: string[] }
  alerts?: { to?: string[]; url?: string }
  backup?: { to?: string[]; increment_every?: string }
  https?: {
    mode?: string
    folder?: string
    addresses?: string[]
    resolvers?: string[]
    listen?: string
    http_listen?: string
  }
}

type LimitKey =
  | 'form_per_ip'
  | 'form_per_origin'
  | 'event_per_ip'
  | 'event_per_origin'
  | 'view_per_ip'
  | 'click_per_ip'
  | 'requests_per_ip'
  | 'window_seconds'
  | 'min_free_mb'
  | 'upload_mb_per_account'

/** Time that a hook which starts a box may take, in milliseconds. */
export const boxStartMsMax = 900_000

/** So many that a test which is not about budgets never meets one. */
const amplyMany = 1_000_000
const amplyLimits = {
  form_per_ip: amplyMany,
  form_per_origin: amplyMany,
  event_per_ip: amplyMany,
  event_per_origin: amplyMany,
  view_per_ip: amplyMany,
  click_per_ip: amplyMany,
  requests_per_ip: amplyMany,
  min_free_mb: 0,
}

/** A box as an operator has it: a folder, a `capture.toml`, published sites and a running server of its own. */
export class Box {
  private constructor(
    readonly dir: string,
    private readonly server: ServerProcess,
  ) {}

  /** Publishes the sites, then serves them. */
  static async start(sites: ASite[], config: BoxConfig = {}): Promise<Box> {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capture-box-')))
    const server = { listen: '127.0.0.1:0', ...config.server }
    const limits = config.limits === 'defaults' ? {} : { ...amplyLimits, ...config.limits }
    writeFileSync(
      join(dir, 'capture.toml'),
      Bun.TOML.stringify({
        ...{ data_dir: './data', server, limits, console: { listen: '', ...config.console } },
        ...(config.log && { log: config.log }),
        ...(config.delivery && { delivery: config.delivery }),
        ...(config.mail && { mail: config.mail }),
        ...(config.alerts && { alerts: config.alerts }),
        ...(config.backup && { backup: config.backup }),
        ...(config.https && { https: config.https }),
      }),
    )
    try {
      for (const site of sites) await applySite(dir, site)
      const box = new Box(dir, await startServer(join(dir, 'capture.toml'), dir, undefined, environmentOf(config)))
      if (config.console?.listen) await consoleHasStarted(box.consolePort)
      return box
    } catch (error) {
      rmSync(dir, { recursive: true, force: true })
      throw error
    }
  }

  get port(): number {
    return this.server.port
  }

  /** Where the console answers on this machine. */
  get consolePort(): number {
    const { consolePort } = this.server
    if (consolePort === null) throw new Error('the console does not listen')
    return consolePort
  }

  /** What the service has logged at level `warn` or `error`, or printed in no known form. An error that is left fails `stop`. */
  get complaints(): string[] {
    return this.server.complaints
  }

  /** Every line that the service has logged. */
  get logged(): string[] {
    return this.server.logged
  }

  /** The text of `/metrics`; `[operator] listen` has to be open. */
  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.server.operatorPort}/metrics`)).text()
  }

  get serverPid(): number {
    return this.server.pid
  }

  /** Sends one request; a bug in the service fails the test with what it logged. */
  async send(sent: Sent): Promise<Answer> {
    const answer = await sendRequest(this.port, sent)
    if (answer.status !== 500) return answer
    throw new Error(
      `${sent.method} ${sent.path} was answered 500; the service logged:\n${this.server.complaints.join('\n')}`,
    )
  }

  /** Publishes a site to the running server. */
  async apply(site: ASite): Promise<void> {
    await applySite(this.dir, site)
  }

  /** Runs a command on this box, within the tests' process. */
  run(argv: string[]): Promise<Ran> {
    return runHere(this.onThisBox(argv), this.dir)
  }

  /** Runs the executable on this box. */
  execute(argv: string[]): Promise<Ran> {
    return runCommand(this.onThisBox(argv), this.dir)
  }

  private onThisBox = (argv: string[]): string[] => [...argv, '--config', join(this.dir, 'capture.toml')]

  /** Accepted and refused submissions, as stored. */
  async submissions(account = 'acme'): Promise<SubmissionRecord[]> {
    return (await this.exportLines(account, 'submissions')).map((line) => JSON.parse(line))
  }

  async events(account = 'acme'): Promise<EventRecord[]> {
    return (await this.exportLines(account, 'events')).map((line) => JSON.parse(line))
  }

  /** The records' own text, for what JavaScript's numbers cannot hold. */
  async exportLines(account: string, what: 'submissions' | 'events'): Promise<string[]> {
    const all = what === 'submissions' ? ['--all'] : []
    const { status, stdout, stderr } = await this.run(['export', account, what, '--test', ...all])
    if (status !== 0) throw new Error(`capture export failed: ${stderr}`)
    return stdout.split('\n').filter((line) => line !== '')
  }

  /** Stops the server and removes the folder. @throws when the server ended badly or logged an error meanwhile */
  async stop(): Promise<void> {
    try {
      await this.server.stop()
    } finally {
      rmSync(this.dir, { recursive: true, force: true })
    }
    const errors = this.server.complaints.filter((line) => !line.includes('"level":"warn"'))
    if (errors.length > 0) throw new Error(`the service logged errors:\n${errors.join('\n')}`)
  }
}

/** The environment closes the operator's address, which only one box can have by default. */
const environmentOf = ({ operator }: BoxConfig): Record<string, string> =>
  operator?.listen === undefined ? {} : { CAPTURE_OPERATOR_LISTEN: operator.listen }

/** A request waits ten seconds for the console's thread, which a busy machine may take longer to start. */
function consoleHasStarted(port: number): Promise<void> {
  return eventually('the console has started', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/sign-in`, { headers: { host: 'localhost' } })
    await answer.text()
    return answer.status !== 503
  })
}

async function applySite(dir: string, site: ASite): Promise<void> {
  const folder = join(dir, 'sites', site.account)
  writeSite(folder, site)
  const { status, stderr } = await runHere(
    ['apply', folder, '--accept', 'all', '--config', join(dir, 'capture.toml')],
    dir,
  )
  if (status !== 0) throw new Error(`capture apply failed: ${stderr}`)
}
