import { SQL } from 'bun'
import { ClusterLogAway, NoClusterYet, patienceMs } from '../../cluster/cluster-log.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTime } from '../../lib/in-time.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/** For one try. A server that is well answers in milliseconds. */
const tryMs = 1500
const pauseMs = 100
/** Two rounds of intake, and what a leader asks beside them. */
const connectionsMax = 5

export interface PoolOptions {
  /** `postgres://…`. Only `sslmode=disable`, or a server on this machine, does without verified TLS. */
  url: string
  /** PEM of the authorities to trust; `null`: the usual ones. */
  ca: string | null
  clock: Clock
}

/**
 * Asks PostgreSQL again until it answers or patience ends. After an error, the whole pool is left behind: its
 * connections may hang, and so may closing them.
 */
export class PatientPool {
  private sql: SQL | null = null
  private isClosed = false

  constructor(private readonly options: PoolOptions) {}

  /**
   * @param query may run several times, and an earlier one may yet take effect
   * @throws ClusterLogAway when there is no answer in time
   * @throws OperatorError when the server refuses, and would again
   */
  async ask<T>(query: (sql: SQL) => Promise<T>, withinMs = patienceMs): Promise<T> {
    const { clock } = this.options
    const untilMs = clock.monotonicMs() + withinMs
    let cause: unknown = null
    for (;;) {
      const leftMs = untilMs - clock.monotonicMs()
      if (leftMs <= 0 || this.isClosed) throw new ClusterLogAway('PostgreSQL does not answer', { cause })
      const sql = this.opened()
      try {
        const answer = await inTime(query(sql), Math.min(tryMs, leftMs))
        if (answer !== 'late') return answer
      } catch (error) {
        if (isRefusal(error) && error.errno === noTable) throw new NoClusterYet()
        if (isRefusal(error))
          throw new OperatorError(`The cluster’s database refuses this node ([cluster] url): ${error.message}.`)
        cause = error
      }
      this.abandon(sql)
      await Bun.sleep(Math.min(pauseMs, Math.max(0, untilMs - clock.monotonicMs())))
    }
  }

  close(): void {
    this.isClosed = true
    if (this.sql !== null) this.abandon(this.sql)
  }

  private opened(): SQL {
    this.sql ??= new SQL({
      ...connectionOf(this.options),
      max: connectionsMax,
      connectionTimeout: patienceMs / 1000,
      // Behind a pooler of transactions, the next statement may have another connection.
      prepare: false,
    })
    return this.sql
  }

  private abandon(sql: SQL): void {
    if (this.sql === sql) this.sql = null
    // Never awaited: it can hang.
    sql.close({ timeout: 0 }).catch(() => {})
  }
}

const localHosts = ['localhost', '127.0.0.1', '[::1]', '']
const isLocalHost = (url: URL): boolean => localHosts.includes(url.hostname)

/** `disable`, or `verify-full` whatever else a URL says. */
function sslModeOf(url: URL, ca: string | null): string {
  const isLocal = ca === null && isLocalHost(url)
  return url.searchParams.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full')
}

/** Whether whoever is between could read the connection. `local`: nobody is. */
export function wayOf({ url, ca }: Pick<PoolOptions, 'url' | 'ca'>): 'verified' | 'local' | 'open' {
  const parsed = new URL(url)
  if (sslModeOf(parsed, ca) !== 'disable') return 'verified'
  return isLocalHost(parsed) ? 'local' : 'open'
}

function connectionOf({ url, ca }: PoolOptions): SQL.Options {
  const parsed = new URL(url)
  const mode = sslModeOf(parsed, ca)
  // Else PGDATABASE would be used in its place.
  const database = decodeURIComponent(parsed.pathname.slice(1))
  const server = { adapter: 'postgres', ...(database === '' ? {} : { database }) } as const
  if (mode === 'disable') return { ...server, url: parsed.href }
  // `prefer`, `require` and `verify-ca` would accept another server in its place.
  parsed.searchParams.set('sslmode', 'verify-full')
  return { ...server, url: parsed.href, tls: { rejectUnauthorized: true, ...(ca === null ? {} : { ca }) } }
}

/**
 * Classes of SQLSTATE that another try would meet again: what was sent is wrong, or we may not. Others pass, such as a
 * shutdown (57), a lack of connections (53) or a server that has yet to be promoted (25).
 */
const refusalClasses = ['22', '23', '28', '3D', '3F', '42', '54']
const noTable = '42P01'
/** Two nodes made the same table, or the type of its rows, at the same time: the next try finds it. */
const madeMeanwhile = ['23505', '42710', '42P07']

function isRefusal(error: unknown): error is SQL.PostgresError {
  if (!(error instanceof SQL.PostgresError) || error.errno === undefined) return false
  return refusalClasses.includes(error.errno.slice(0, 2)) && !madeMeanwhile.includes(error.errno)
}
