import { Database, SQLiteError } from 'bun:sqlite'
import { spooledIn } from '../../../src/storage/spool/spool-folder.ts'
import { eventually } from '../../harness/eventually.ts'
import type { TcpProxy } from '../../harness/tcp-proxy.ts'
import type { BinaryBox } from './binary-box.ts'
import type { Load } from './load.ts'
import type { RunningServer } from './program.ts'

/** What a node says of itself, in its own database. */
export interface NodePlace {
  /** The last link that it contains. */
  link: number
  /** Whether nothing waits to get into the cluster, to be processed or to be delivered. */
  isIdle: boolean
}

/** A node as a process of its own, with its way to the database, which can be cut. */
export class TrialNode {
  server: RunningServer | null = null
  private load: Load | null = null

  constructor(
    readonly name: string,
    readonly box: BinaryBox,
    /** Its way to the database. */
    readonly proxy: TcpProxy,
    private readonly startLoad: (server: RunningServer) => Load,
  ) {}

  /** Serves, and has visitors. */
  async serve(env: Record<string, string> = {}): Promise<void> {
    this.server = await this.box.serve(env)
    this.visited()
  }

  visited(): void {
    if (this.server !== null) this.load ??= this.startLoad(this.server)
  }

  /** Its visitors have gone, each with an answer unless the node has died. */
  async left(): Promise<void> {
    const { load } = this
    this.load = null
    await load?.stop()
  }

  async ends(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { server } = this
    this.server = null
    server?.signal(signal)
    await server?.ended()
    await this.left()
  }

  async standsStill(ms: number): Promise<void> {
    this.server?.signal('SIGSTOP')
    await Bun.sleep(ms)
    this.server?.signal('SIGCONT')
  }

  async isCutOff(ms: number): Promise<void> {
    this.proxy.isPulled = true
    await Bun.sleep(ms)
    this.proxy.cut()
    this.proxy.isPulled = false
  }

  joins(): Promise<void> {
    return eventually(`${this.name} joins`, async () => (await this.box.run(['cluster', 'join'])).status === 0)
  }

  /** `null`: it cannot be read for a moment, since the node joins anew and swaps its database. */
  place(): NodePlace | null {
    try {
      using database = new Database(this.box.databaseFile, { readonly: true, strict: true })
      return placeIn(database, spooledIn(this.box.dataDir).waiting)
    } catch (error) {
      if (error instanceof SQLiteError) return null
      throw error
    }
  }
}

function placeIn(database: Database, spooledBytes: number): NodePlace {
  const row = database
    .query<{ link: number | null; isIdle: number }, []>(
      `SELECT (SELECT number FROM cluster_position) AS link,
         (SELECT cursor FROM processing) >= (SELECT coalesce(max(sequence), 0) FROM ledger)
           AND NOT EXISTS (SELECT 1 FROM delivery WHERE state = 'waiting') AS isIdle`,
    )
    .get()
  return { link: row?.link ?? 0, isIdle: row?.isIdle === 1 && spooledBytes === 0 }
}
