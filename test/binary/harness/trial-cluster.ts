import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { SQL } from 'bun'
import { aForm, aSite } from '../../harness/a-site.ts'
import { comparedTables, type Row, rowsOf } from '../../harness/compared-tables.ts'
import { eventually } from '../../harness/eventually.ts'
import type { Sent } from '../../harness/http.ts'
import { type Postgres, startPostgres } from '../../harness/postgres.ts'
import { Receiver } from '../../harness/receiver.ts'
import { type S3Server, startS3Server } from '../../harness/s3-server.ts'
import { startTcpProxy } from '../../harness/tcp-proxy.ts'
import type { BinaryBox } from './binary-box.ts'
import { becomeNode } from './cluster-node.ts'
import { applyDeliveries, aWebhook, deliveryBox } from './delivery-box.ts'
import { type Load, mayBeBusy, nothingAcknowledged, startLoad } from './load.ts'
import type { RunningServer } from './program.ts'
import { expectIntact, expectPromisesKept } from './promises-kept.ts'
import { getRequest, trackedLink } from './requests.ts'
import { TrialNode } from './trial-node.ts'

const nodeNames = ['a', 'b', 'c']
/** Between two requests of a visitor: the machine has more to do. */
const pauseMs = 400
/** The addresses of those who send forms. */
const people = 200
/** What a leader had on its way when it died. */
const lateMs = 200

/** How long a cluster was without a leader's work, in milliseconds. */
export interface Takeover {
  fault: string
  /** Until another node had the lease. */
  leadsMs: number
  /** Until it delivered. */
  deliversMs: number
}

interface Parts {
  postgres: Postgres
  /** The path of the URL of its database. */
  database: string
  s3: S3Server
  receiver: Receiver
  link: Sent
}

/** Three nodes under load, with all that a cluster needs, and each of it may fail. */
export class TrialCluster implements AsyncDisposable {
  readonly nodes: TrialNode[] = []
  readonly acknowledged = nothingAcknowledged()
  readonly takeovers: Takeover[] = []

  private constructor(private readonly parts: Parts) {}

  static async start(): Promise<TrialCluster> {
    const [postgres, s3, first] = await Promise.all([startPostgres(), startS3Server(), deliveryBox()])
    const receiver = new Receiver()
    const site = aSite({ files: { 'pages/launch.html': 'Hello' }, forms: [aForm()] })
    await applyDeliveries(first, [aWebhook(receiver.url())], site)
    madeEarlier(first)
    const database = new URL(await postgres.newDatabase()).pathname
    const cluster = new TrialCluster({ postgres, database, s3, receiver, link: await trackedLink(first) })
    const store = {
      ...{ store: `s3://${s3.bucket()}/cluster`, s3_endpoint: s3.endpoint, s3_region: s3.region },
      ...{ s3_access_key: s3.accessKey, s3_secret_key: s3.secretKey },
    }
    for (const name of nodeNames) {
      const box = name === nodeNames[0] ? first : await deliveryBox()
      const proxy = startTcpProxy(postgres.port)
      becomeNode(box, { node: name, url: `postgres://capture@127.0.0.1:${proxy.port}${database}`, ...store })
      const node = new TrialNode(name, box, proxy, (server) => cluster.loadOf(server))
      cluster.nodes.push(node)
      if (box !== first) await node.joins()
      await node.serve()
      await eventually('there is a base', async () => (await cluster.asked(anyBase).catch(() => [])).length > 0)
    }
    return cluster
  }

  get postgres(): Postgres {
    return this.parts.postgres
  }

  get s3(): S3Server {
    return this.parts.s3
  }

  /** The node that leads, once one does. */
  async leader(): Promise<TrialNode> {
    let found: TrialNode | undefined
    await eventually('somebody leads', async () => {
      const name = await this.leaderName()
      found = this.nodes.find((node) => node.name === name && node.server !== null)
      return found !== undefined
    })
    return found as TrialNode
  }

  /** What a command prints that only the leader runs. Another node may begin to lead meanwhile: then it is that one's. */
  async saidByLeader(argv: string[]): Promise<string> {
    let said = ''
    await eventually(`the leader runs ${argv.join(' ')}`, async () => {
      const { box } = await this.leader()
      const { status, stdout, stderr } = await box.run(argv)
      said = stdout
      if (status !== 0 && !stderr.includes('Nothing was changed.')) throw new Error(stderr)
      return status === 0
    })
    return said
  }

  async followers(): Promise<TrialNode[]> {
    const leader = await this.leader()
    return this.nodes.filter((node) => node !== leader)
  }

  /** Lets the leader fail, and waits until another one leads and delivers. */
  async losesItsLeader(fault: string, fails: (leader: TrialNode) => Promise<void>): Promise<void> {
    const leader = await this.leader()
    const before = this.parts.receiver.received.length
    const sinceMs = performance.now()
    const failing = fails(leader)
    failing.catch(() => {})
    await eventually('another node leads', async () => {
      const name = await this.leaderName()
      return name !== null && name !== leader.name
    })
    const leadsMs = performance.now() - sinceMs
    let deliversMs = 0
    await eventually('it delivers', async () => {
      const since = this.parts.receiver.received.slice(before)
      deliversMs = (since.find(({ atMs }) => atMs > sinceMs + lateMs)?.atMs ?? 0) - sinceMs
      return deliversMs > 0
    })
    this.takeovers.push({ fault, leadsMs, deliversMs })
    await failing
  }

  /** The standby takes the place of the database, which is gone. */
  async failOver(): Promise<void> {
    const { parts } = this
    const before = parts.postgres
    const standby = await before.standby()
    const was = this.answered
    await eventually('captures go on', async () => this.answered > was)
    await before.crash()
    await standby.promote()
    parts.postgres = standby
    for (const { proxy } of this.nodes) {
      proxy.serverPort = standby.port
      proxy.cut()
    }
    await before[Symbol.asyncDispose]()
  }

  /** How many requests were acknowledged. */
  get answered(): number {
    const { submissionIds, batches, clickDeviceIds } = this.acknowledged
    return submissionIds.length + batches.size + clickDeviceIds.length
  }

  get hasDelivered(): boolean {
    const arrived = new Set(this.parts.receiver.ids)
    return this.acknowledged.submissionIds.every((id) => arrived.has(id))
  }

  async captures(requests: number): Promise<void> {
    const wanted = this.answered + requests
    await eventually(`${requests} more are acknowledged`, async () => this.answered >= wanted)
  }

  /** All nodes run and have visitors. */
  async recovers(): Promise<void> {
    for (const node of this.nodes) if (node.server === null) await node.serve()
    for (const node of this.nodes) node.visited()
  }

  /** Everything acknowledged is there once, on all nodes alike, and was delivered. */
  async expectWhole(): Promise<void> {
    await this.recovers()
    await Promise.all(this.nodes.map((node) => node.left()))
    await this.settles()
    const leader = await this.leader()
    await expectPromisesKept(leader.box, this.acknowledged)
    await eventually('all is delivered', async () => this.hasDelivered)
    await this.settles()
    await this.becomeAlike(leader)
    for (const { box } of this.nodes) expectIntact(box)
    expect(await this.asked(brokenLinks)).toEqual([])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map(({ box }) => box[Symbol.asyncDispose]()))
    for (const { proxy } of this.nodes) proxy[Symbol.dispose]()
    const { postgres, s3, receiver } = this.parts
    await Promise.all([postgres, s3, receiver].map((part) => part[Symbol.asyncDispose]()))
  }

  /** What was said by all of them, for whoever looks into a fault. */
  get said(): string {
    return this.nodes.map(({ name, server }) => `--- ${name}\n${server?.stderr ?? 'ended'}`).join('\n')
  }

  /** Every node contains the whole chain, and has done all that follows from it. */
  private async settles(): Promise<void> {
    await eventually('all nodes are alike', async () => {
      const [state] = await this.asked<{ waiting: number; end: number }>(
        'SELECT (SELECT count(*) FROM intake)::integer AS waiting, (SELECT max(number) FROM link)::integer AS "end"',
      )
      const places = this.nodes.map((node) => node.place())
      return state?.waiting === 0 && places.every((place) => place?.isIdle && place.link === state.end)
    })
  }

  /** All have the rows of the leader. Counted in the background is what may yet differ: it is looked at again. */
  private async becomeAlike(leader: TrialNode): Promise<void> {
    let found: Record<string, unknown> = {}
    try {
      await eventually('all have the same rows', async () => {
        found = differencesBetween(leader, this.nodes)
        return Object.keys(found).length === 0
      })
    } catch (cause) {
      throw new Error(`they differ in ${Bun.inspect(found)}`, { cause })
    }
  }

  private loadOf(server: RunningServer): Load {
    const { acknowledged } = this
    const { link } = this.parts
    const page = getRequest('/launch')
    const email = () => `visitor-${Math.floor(Math.random() * people)}@example.test`
    return startLoad({ server, link, page, acknowledged, email, pauseMs, mayRefuse: mayBeBusy })
  }

  private async leaderName(): Promise<string | null> {
    const held = 'SELECT node FROM lease WHERE until > clock_timestamp()'
    // While the database is away, nobody is known.
    const rows = await this.asked<{ node: string }>(held).catch(() => [])
    return rows[0]?.node ?? null
  }

  private async asked<Row>(query: string): Promise<Row[]> {
    const sql = new SQL({ url: `postgres://capture@127.0.0.1:${this.postgres.port}${this.parts.database}`, max: 1 })
    try {
      return (await sql.unsafe(query)) as Row[]
    } finally {
      void sql.close({ timeout: 0 }).catch(() => {})
    }
  }
}

/** What nodes whose clocks are behind take in came after the destination, too. */
function madeEarlier({ databaseFile }: BinaryBox): void {
  using database = new Database(databaseFile, { strict: true })
  database.run('UPDATE destination SET created_at = created_at - 24 * 60 * 60 * 1000')
}

const anyBase = "SELECT 1 FROM link WHERE kind = 'base'"

/** Links that do not follow the one before, or of a term that was over. */
const brokenLinks = `
  SELECT link.number FROM link LEFT JOIN link AS before ON before.number = link.number - 1 AND before.part = 0
  WHERE link.part = 0 AND link.number > (SELECT min(number) FROM link)
    AND (before.id IS NULL OR before.id <> link.previous OR before.term > link.term)`

/** The first rows that a node does not have as the leader has them. */
function differencesBetween(leader: TrialNode, nodes: readonly TrialNode[]): Record<string, unknown> {
  const open = ({ box }: TrialNode) => new Database(box.databaseFile, { readonly: true, strict: true })
  using database = open(leader)
  const found: Record<string, unknown> = {}
  for (const node of nodes.filter((node) => node !== leader)) {
    using other = open(node)
    for (const table of comparedTables) {
      const [there, here] = [rowsOf(database, table), rowsOf(other, table)]
      if (!Bun.deepEquals(there, here)) found[`${node.name}: ${table}`] = firstDifference(there, here)
    }
  }
  return found
}

function firstDifference(leader: Row[], follower: Row[]) {
  const at = leader.findIndex((row, index) => !Bun.deepEquals(row, follower[index]))
  return {
    rows: [leader.length, follower.length],
    leader: leader[at],
    follower: follower[at === -1 ? leader.length : at],
  }
}
