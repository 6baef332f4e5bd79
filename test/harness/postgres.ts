import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import type { PairText } from '../../src/https/certificate-pair.ts'
import { newShortId } from '../../src/lib/id.ts'
import { eventually } from './eventually.ts'
import { ownPort } from './loopback.ts'

/** The version that `install.sh --dev` fetches where there is none. */
export const postgresVersion = '18.4.0-beta.17'

const folder = `postgres-${postgresVersion}`
const debians = '/usr/lib/postgresql'
const places = [
  ...(existsSync(debians) ? readdirSync(debians).map((version) => join(debians, version, 'bin')) : []),
  ...[join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'capture'), join(import.meta.dir, '../../gen')]
    // Root's own folders are closed to the user that the server runs as.
    .concat('/var/cache/capture')
    .map((place) => join(place, folder, 'native/bin')),
]

/** PostgreSQL refuses to run as root: there, it runs as nobody. */
const nobody = 65534
const isRoot = process.getuid?.() === 0
const asUser = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []

/** A real PostgreSQL on loopback, with an empty database. */
export interface Postgres extends AsyncDisposable {
  port: number
  url: string
  /** Its files. */
  data: string
  /** Ends it at once, as a crash does. Nobody answers at its port until `start`. */
  crash(): Promise<void>
  start(): Promise<void>
  /** An empty one beside the others. @returns its URL */
  newDatabase(): Promise<string>
  /** All of its processes stand still until the disposal. */
  frozen(): Disposable
  /** One that has each commit before it is acknowledged. This one is restarted for it. */
  standby(): Promise<Standby>
}

export interface Standby extends Postgres {
  /** From now on it writes. The one that it followed must have ended. */
  promote(): Promise<void>
}

interface PostgresOptions {
  /** What it shows to whoever asks for TLS. */
  tls?: PairText | null
  /** Whether a commit reaches the disk, which no test but a measurement needs. */
  isDurable?: boolean
  /** Where it keeps its files. */
  folder?: string
}

/** @throws when `install.sh --dev` has not run */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { tls = null, isDurable = false, folder = tmpdir() } = options
  const bin = places.find((place) => existsSync(join(place, 'initdb')))
  if (bin === undefined) throw new Error('There is no PostgreSQL. Install it with ./install.sh --dev')
  const dir = newFolder(folder)
  const choices = ['-U', 'capture', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  const made = Bun.spawnSync([...asUser, join(bin, 'initdb'), '-D', join(dir, 'data'), ...choices], { cwd: dir })
  if (made.exitCode !== 0) throw new Error(`initdb: ${made.stderr}`)
  const settings = ['shared_buffers=16MB', 'unix_socket_directories=', 'listen_addresses=127.0.0.1']
  if (!isDurable) settings.push('fsync=off')
  if (tls !== null) settings.push('ssl=on', ...placeCertificate(dir, tls))
  return run({ bin, dir, settings })
}

function newFolder(folder: string): string {
  const dir = mkdtempSync(join(folder, 'capture-postgres-'))
  if (isRoot) chownSync(dir, nobody, nobody)
  return dir
}

interface Place {
  /** Where the programs are. */
  bin: string
  /** Holds `data`; it is removed in the end. */
  dir: string
  settings: string[]
}

async function run({ bin, dir, settings }: Place): Promise<Postgres> {
  const data = join(dir, 'data')
  const port = ownPort()
  const argv = [
    ...asUser,
    join(bin, 'postgres'),
    '-D',
    data,
    '-p',
    String(port),
    ...settings.flatMap((set) => ['-c', set]),
  ]
  const url = `postgres://capture@127.0.0.1:${port}/postgres`
  let child: Bun.Subprocess | null = null
  const crash = async (): Promise<void> => {
    // Its "immediate shutdown": the next start recovers as after a crash.
    child?.kill('SIGQUIT')
    await child?.exited
    child = null
  }
  const start = async (): Promise<void> => {
    child = Bun.spawn(argv, { cwd: dir, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    await eventually('PostgreSQL answers', () => answers(url))
  }
  await start()
  return {
    ...{ port, url, data, crash, start },
    async newDatabase() {
      const name = `of_${newShortId()}`
      await told(url, `CREATE DATABASE ${name}`)
      return url.replace(/[^/]+$/, name)
    },
    frozen() {
      const ids = child === null ? [] : [child.pid, ...childrenOf(child.pid)]
      for (const id of ids) signal(id, 'SIGSTOP')
      return {
        [Symbol.dispose]() {
          for (const id of ids) signal(id, 'SIGCONT')
        },
      }
    },
    async standby() {
      const copy = newFolder(dirname(dir))
      await crash()
      Bun.spawnSync(['cp', '-a', data, copy])
      rmSync(join(copy, 'data/postmaster.pid'), { force: true })
      Bun.spawnSync([...asUser, 'touch', join(copy, 'data/standby.signal')])
      await start()
      const follows = `primary_conninfo=host=127.0.0.1 port=${port} user=capture`
      const standby = await run({ bin, dir: copy, settings: [...settings, follows] })
      const isFollowed = async () =>
        (await told(url, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")) > 0
      await eventually('the standby follows', isFollowed)
      await told(url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
      await told(url, 'SELECT pg_reload_conf()')
      const isWaitedFor = async () =>
        (await told(url, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")) > 0
      await eventually('its commits are waited for', isWaitedFor)
      return { ...standby, promote: () => told(standby.url, 'SELECT pg_promote()').then(() => {}) }
    },
    async [Symbol.asyncDispose]() {
      await crash()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** @returns how many rows the statement has */
async function told(url: string, statement: string): Promise<number> {
  const sql = new SQL({ url, max: 1 })
  try {
    return ((await sql.unsafe(statement)) as unknown[]).length
  } finally {
    await sql.close()
  }
}

function placeCertificate(dir: string, { certificate, key }: PairText): string[] {
  const files = { ssl_cert_file: certificate, ssl_key_file: key }
  return Object.entries(files).map(([name, text]) => {
    const file = join(dir, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (isRoot) chownSync(file, nobody, nobody)
    return `${name}=${file}`
  })
}

async function answers(url: string): Promise<boolean> {
  const sql = new SQL({ url, max: 1 })
  try {
    await sql`SELECT 1`
    return true
  } catch {
    return false
  } finally {
    void sql.close({ timeout: 0 }).catch(() => {})
  }
}

function signal(id: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(id, name)
  } catch {
    // It has ended: a process for one connection lives no longer than that.
  }
}

const childrenOf = (id: number): number[] =>
  readFileSync(`/proc/${id}/task/${id}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((text) => text !== '')
    .map(Number)
