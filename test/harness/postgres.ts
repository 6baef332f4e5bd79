import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
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
  /** Ends it at once, as a crash does. Nobody answers at its port until `start`. */
  crash(): Promise<void>
  start(): Promise<void>
  /** An empty one beside the others. @returns its URL */
  newDatabase(): Promise<string>
  /** All of its processes stand still until the disposal. */
  frozen(): Disposable
}

/** @param tls what it shows to whoever asks for TLS. @throws when `install.sh --dev` has not run */
export async function startPostgres(tls: PairText | null = null): Promise<Postgres> {
  const bin = places.find((place) => existsSync(join(place, 'initdb')))
  if (bin === undefined) throw new Error('There is no PostgreSQL. Install it with ./install.sh --dev')
  const dir = mkdtempSync(join(tmpdir(), 'capture-postgres-'))
  if (isRoot) chownSync(dir, nobody, nobody)
  const data = join(dir, 'data')
  const options = ['-U', 'capture', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  const made = Bun.spawnSync([...asUser, join(bin, 'initdb'), '-D', data, ...options], { cwd: dir })
  if (made.exitCode !== 0) throw new Error(`initdb: ${made.stderr}`)
  const port = ownPort()
  const settings = ['fsync=off', 'shared_buffers=16MB', 'unix_socket_directories=', 'listen_addresses=127.0.0.1']
  if (tls !== null) settings.push('ssl=on', ...placeCertificate(dir, tls))
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
    ...{ port, url, crash, start },
    async newDatabase() {
      const name = `of_${newShortId()}`
      const sql = new SQL({ url, max: 1 })
      await sql.unsafe(`CREATE DATABASE ${name}`)
      await sql.close()
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
    async [Symbol.asyncDispose]() {
      await crash()
      rmSync(dir, { recursive: true, force: true })
    },
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
