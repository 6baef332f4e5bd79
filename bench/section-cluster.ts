import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SQL } from 'bun'
import { ownPort } from '../test/harness/loopback.ts'
import { type Postgres, startPostgres } from '../test/harness/postgres.ts'
import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { alternate, type Side, type SideResult } from './compare.ts'
import { expectProcessed, storedRecords } from './ledger-rows.ts'
import { formPath } from './paths/form.ts'
import type { ServerProcess } from './server-process.ts'
import { until } from './until.ts'

export interface ClusterResult {
  /** A single box, a cluster of one node, and one of three that share the load. */
  box: SideResult
  one: SideResult
  three: SideResult
  links: { perSecond: number; entriesPerSecond: number; bytesAnEntry: number }
}

/** A base of a small box is there in a second or two. */
const joinSecondsMax = 60
/** The leader works off what three nodes took in. */
const sharedSecondsMax = 300

/** What capturing costs in a cluster: forms on one box, one node and three, in turn; then how fast the chain follows. */
export async function measureCluster(run: BenchRun): Promise<ClusterResult> {
  run.progress('cluster: forms on one box, one node and three')
  const postgres = await startPostgres({ isDurable: true, folder: run.options.workFolder })
  try {
    const single = await makeBox(run)
    await publishBenchSite(single)
    const server = await single.start()
    const one = await startCluster(run, postgres, 1)
    const three = await startCluster(run, postgres, 3)
    const sides = [await sideOf([single], [server]), await clusterSide(one), await clusterSide(three)]
    const { load, options, folder } = run
    const results = await alternate(sides, { load, options, folder })
    const links = await measureLinks(run, three)
    await Promise.all([server, ...one.servers, ...three.servers].map((each) => each.stop()))
    const [onBox, onOne, onThree] = results as [SideResult, SideResult, SideResult]
    return { box: onBox, one: onOne, three: onThree, links }
  } finally {
    await postgres[Symbol.asyncDispose]()
  }
}

interface StartedCluster {
  boxes: CaptureBox[]
  servers: ServerProcess[]
  url: string
}

async function startCluster(run: BenchRun, postgres: Postgres, nodes: number): Promise<StartedCluster> {
  const url = await postgres.newDatabase()
  const started: StartedCluster = { boxes: [], servers: [], url }
  const secret = join(run.folder, 'cluster.key')
  await writeFile(secret, new Uint8Array(32), { mode: 0o600 })
  let store = ''
  for (let node = 0; node < nodes; node++) {
    const box = await makeBox(run)
    store ||= join(box.folder, 'store')
    if (node === 0) await publishBenchSite(box)
    await box.configure(`[cluster]
url = "${url}"
node = "n${node}"
listen = "127.0.0.1:${ownPort()}"
secret_file = "${secret}"
store = "file://${store}"
`)
    if (node > 0) await until('a node to join', () => joins(box), joinSecondsMax)
    started.boxes.push(box)
    started.servers.push(await box.start())
  }
  await until('a leader', async () => (await counted(url, 'SELECT count(*) AS count FROM lease')).count > 0)
  return started
}

const joins = (box: CaptureBox): Promise<boolean> =>
  box.command('cluster', 'join').then(
    () => true,
    () => false,
  )

async function clusterSide({ boxes, servers, url }: StartedCluster): Promise<Side> {
  const side = await sideOf(boxes, servers)
  return { ...side, atRest: () => hasAll({ boxes, servers, url }) }
}

async function sideOf([box]: CaptureBox[], [server, ...others]: ServerProcess[]): Promise<Side> {
  if (box === undefined || server === undefined) throw new Error('a cluster has a node at least')
  const request = await formPath.request(await firstVisit(box))
  return { server, others, request, status: formPath.status, atRest: () => expectProcessed(box.dataFolder) }
}

/** Every node has all that any of them has acknowledged, and has processed it. */
async function hasAll({ boxes, url }: StartedCluster): Promise<void> {
  const isTaken = async () => (await counted(url, 'SELECT count(*) AS count FROM intake')).count === 0
  await until('the intake to be empty', isTaken, sharedSecondsMax)
  const [leader, ...followers] = boxes.map(({ dataFolder }) => dataFolder)
  const records = storedRecords(leader ?? '')
  for (const folder of followers)
    await until('the followers to have all', () => storedRecords(folder) >= records, sharedSecondsMax)
  for (const { dataFolder } of boxes) await expectProcessed(dataFolder)
}

/** How fast followers get what the leader has, at full load. */
async function measureLinks(run: BenchRun, cluster: StartedCluster): Promise<ClusterResult['links']> {
  const { options, load, folder } = run
  const [box] = cluster.boxes
  if (box === undefined) throw new Error('a cluster has a node at least')
  const request = await formPath.request(await firstVisit(box))
  const linked = () => counted(cluster.url, linkedSoFar)
  const before = await linked()
  const records = storedRecords(box.dataFolder)
  const startedAt = performance.now()
  const { connections, loadThreads: threads, roundSeconds: seconds } = options
  const [server] = cluster.servers
  if (server !== undefined) await load.run({ server, request, seconds, connections, threads, folder })
  await hasAll(cluster)
  const after = await linked()
  const took = (performance.now() - startedAt) / 1000
  const entries = storedRecords(box.dataFolder) - records
  return {
    perSecond: (after.count - before.count) / took,
    entriesPerSecond: entries / took,
    bytesAnEntry: (after.bytes - before.bytes) / entries,
  }
}

const linkedSoFar = 'SELECT count(*) AS count, coalesce(sum(octet_length(body)), 0) AS bytes FROM link'

async function counted(url: string, query: string): Promise<{ count: number; bytes: number }> {
  await using sql = new SQL({ url, max: 1 })
  const [row] = (await sql.unsafe(query)) as { count: string; bytes?: string }[]
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) }
}
