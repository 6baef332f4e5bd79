import { byteSize, count, plural, timestamp } from '../../lib/quantities.ts'
import { type CheckResult, fault, ok, warning } from '../check-result.ts'
import { clusterFindings } from '../cluster/cluster-findings.ts'
import type { ClusterStatus } from '../cluster/cluster-status.ts'
import type { ClusterInspection, DatabaseTraits, Inspection } from './inspection.ts'

const check = 'cluster'

/** A leader makes one a day. */
const baseMsMax = 2 * 86_400_000
/** Of a table that holds a second's worth of rows: each read steps over them. */
const deadRowsMax = 200_000

/** Examines what a node shares with others; nothing on a single box. Each part is asked for, with its own deadline. */
export async function examineCluster({ cluster, openDatabase, clock }: Inspection): Promise<CheckResult[]> {
  if (cluster === null) return []
  const found = await Promise.all([
    examineNodes(cluster, boxIdIn(openDatabase)),
    examineTraits(cluster),
    examineStore(cluster, clock.now()),
    examineBudgets(cluster),
  ])
  return [...found.flat(), ...examineSpool(cluster)]
}

/** `null`: another check reports why. */
function boxIdIn(openDatabase: Inspection['openDatabase']): string | null {
  try {
    const database = openDatabase()
    try {
      return database?.boxId() ?? null
    } finally {
      database?.close()
    }
  } catch {
    return null
  }
}

async function examineNodes(cluster: ClusterInspection, boxId: string | null): Promise<CheckResult[]> {
  if (boxId === null) return []
  const status = await cluster.status(boxId)
  if (typeof status === 'string')
    return [fault(check, status, 'See `[cluster] url` in `capture.toml`, and its rights there.')]
  const unreached = (await cluster.unreached(boxId)).map(unreachedNode)
  const found = [...clusterFindings(status), ...examineVersions(status), ...unreached]
  return found.length > 0 ? found : [ok(check, wellText(status))]
}

const unreachedNode = ({ name, address }: { name: string; address: string }): CheckResult =>
  warning(
    check,
    `Node "${name}" serves, and does not answer this machine at ${address}, its \`[cluster] listen\`.`,
    'Open that port between the machines, and to nobody else. Without it, this one answers for the console only while it leads, and brings no files of visitors.',
    { about: `way to ${name}` },
  )

function wellText({ leader, nodes }: ClusterStatus): string {
  const behind = Math.max(0, ...nodes.map((node) => node.behind))
  if (nodes.length === 1) return `"${leader}" leads, and is the only node: no other takes over.`
  const lag = behind === 0 ? 'all have every link' : `none is more than ${plural(behind, 'link')} behind`
  return `"${leader}" leads ${plural(nodes.length, 'node')}; ${lag}.`
}

/** While a cluster is upgraded, node by node. */
function examineVersions({ nodes }: ClusterStatus): CheckResult[] {
  if (new Set(nodes.map(({ version, schema }) => `${version} ${schema}`)).size <= 1) return []
  const versions = nodes.map(({ name, version }) => `"${name}" ${version}`).join(', ')
  return [warning(check, `The nodes have different versions: ${versions}.`, 'Upgrade the others too.')]
}

async function examineTraits({ connection, database }: ClusterInspection): Promise<CheckResult[]> {
  const traits = await database()
  if (traits === null) return []
  const version = `Its database is PostgreSQL ${traits.version}`
  const way = {
    verified: ok(check, `${version}, reached by TLS that verifies the server.`),
    local: ok(check, `${version}, on this machine.`),
    open: warning(
      check,
      `${version}, reached without TLS: whoever is between can read the password and take its place.`,
      'Take `sslmode=disable` out of `[cluster] url`.',
    ),
  }
  return [way[connection], examineDurability(traits), ...examineVacuum(traits)]
}

/** Storage that replicates itself, as rented databases have it, does not show. */
function examineDurability({ fsync, synchronousCommit, standbys }: DatabaseTraits): CheckResult {
  if (!fsync || synchronousCommit === 'off')
    return warning(
      check,
      `The database acknowledges what is not on its disk yet (${fsync ? 'synchronous_commit' : 'fsync'} is off): a crash loses what visitors were told is stored.`,
      `Set \`${fsync ? 'synchronous_commit' : 'fsync'} = on\` in PostgreSQL.`,
    )
  if (standbys !== '')
    return ok(check, `The database waits for its standbys: synchronous_standby_names is ${standbys}.`)
  return {
    ...ok(check, 'The database names no synchronous standby.'),
    advice:
      'If its storage does not replicate itself either, its failover loses records that were acknowledged: set `synchronous_standby_names`.',
  }
}

function examineVacuum({ autovacuum, deadRows }: DatabaseTraits): CheckResult[] {
  if (!autovacuum)
    return [
      warning(check, 'autovacuum is off in the database: its tables only grow.', 'Set autovacuum = on in PostgreSQL.'),
    ]
  if (deadRows <= deadRowsMax) return []
  return [
    warning(
      check,
      `The table intake has ${count(deadRows)} dead rows, over which every read steps.`,
      'End transactions that have been open for hours, replication slots that nobody reads, and see whether autovacuum keeps up.',
    ),
  ]
}

async function examineBudgets({ budgets }: ClusterInspection): Promise<CheckResult[]> {
  const fault = await budgets()
  if (fault === null) return []
  return [
    warning(
      check,
      `The server of budgets cannot be used (${fault}): each node grants its share of each budget.`,
      'See `[cluster] budgets` in `capture.toml`, the password in it too, and whether this machine reaches that server.',
    ),
  ]
}

function examineSpool({ spooled }: ClusterInspection): CheckResult[] {
  const { waiting, damaged } = spooled()
  const keeps =
    waiting === 0
      ? []
      : [
          warning(
            check,
            `This node keeps ${byteSize(waiting)} of captured records that are not in the cluster yet.`,
            'They go there once the database answers. Until then, they are on this disk alone.',
          ),
        ]
  return [
    ...keeps,
    ...damaged.map((file) =>
      warning(
        check,
        `${file} is damaged: some captured records did not get into the cluster. What could be read of it did.`,
        'Check the disk. Delete the file once you do not need it to look for the rest.',
      ),
    ),
  ]
}

async function examineStore({ store: read, storeUrl }: ClusterInspection, now: number): Promise<CheckResult[]> {
  const { words, baseAt } = await read()
  if (words !== null)
    return [
      warning(
        check,
        `The store ${storeUrl} ${words}. Nothing can be published, and no machine can join.`,
        'See `[cluster] store` and `s3_*` in `capture.toml`, and whether this machine reaches it.',
      ),
    ]
  if (baseAt === null)
    return [ok(check, `The store ${storeUrl} answers. It has no copy of the database yet: the leader puts one there.`)]
  const found = `The store ${storeUrl} answers; its copy of the database is of ${timestamp(baseAt)}.`
  if (now - baseAt <= baseMsMax) return [ok(check, found)]
  return [warning(check, `${found} A newer one should be there.`, 'The log of the node that leads says why.')]
}
