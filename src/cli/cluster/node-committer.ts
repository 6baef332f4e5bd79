import type { BatchCommitter } from '../../capture/write-batch.ts'
import { batchOf, ClusterCommitter } from '../../cluster/cluster-committer.ts'
import { type ClusterLog, ClusterLogAway, silentMsMax } from '../../cluster/cluster-log.ts'
import { ClusterSeal } from '../../cluster/cluster-seal.ts'
import { Keeping } from '../../cluster/keeping.ts'
import { endedBy } from '../../cluster/lease-keeper.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import { addressText } from '../../config/values.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Log } from '../../lib/log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { databaseFile, isDatabaseMade } from '../../storage/filesystem/data-folder.ts'
import { claimDatabase, clustersIn } from '../../storage/postgres/postgres-log.ts'
import { SpoolFolder } from '../../storage/spool/spool-folder.ts'
import { openNodeLog } from './node-log.ts'

interface NodeDatabase {
  knowsAccount: (accountId: string) => boolean
  boxId: () => string
  /** Whether the folder has founded or joined a cluster. */
  isNode: boolean
}

interface NodeParts {
  dataDir: string
  clock: Clock
  log: Log
}

/**
 * Makes what makes the committer of a node, which leaves what is captured with its cluster.
 *
 * @throws OperatorError where this machine has yet to join: a database that was made here could not
 */
export async function nodeCommitter(config: ClusterConfig, { dataDir, clock, log: notices }: NodeParts) {
  if (!isDatabaseMade(databaseFile(dataDir)) && (await clustersIn({ ...config, clock }).catch(unlessAway)).length > 0)
    throw new OperatorError(othersDatabase)
  return async ({ knowsAccount, boxId, isNode }: NodeDatabase): Promise<BatchCommitter> => {
    const name = boxId()
    if (!isNode) await assertMayFound(config, name, clock)
    const { node, secret, whenAway } = config
    const { log, close } = openNodeLog(config, name, clock)
    const refusal = await refusalOf(log, config)
    if (refusal !== null) {
      close()
      throw new OperatorError(refusal)
    }
    const seal = new ClusterSeal(Buffer.from(secret, 'base64'))
    const keeping = await Keeping.open({
      ...{ log, clock, notices, keepsNew: whenAway === 'keep' },
      spool: new SpoolFolder({ dataDir, seal, onDamage: (file) => notices.error(damaged, { file }) }),
      batchOf: (round) => batchOf(round, node),
    })
    const committer = new ClusterCommitter({ log, node, clock, knowsAccount, keeping })
    return {
      commit: (batch) => committer.commit(batch),
      close: async () => {
        await committer.close()
        close()
        await keeping.stop()
      },
    }
  }
}

/** A node whose database is away learns it later, and stops then. */
const lookMsMax = 1000

/** Why the cluster does not want this node: nobody would take what it captures, or it has the name of another one. */
async function refusalOf(
  log: Pick<ClusterLog, 'lease' | 'overview'>,
  { node, listen }: ClusterConfig,
): Promise<string | null> {
  const looked = await inTime(
    Promise.all([log.lease(null), log.overview()]).catch(() => null),
    lookMsMax,
  )
  if (looked === 'late' || looked === null) return null
  const [lease, { nodes }] = looked
  if (lease?.hasEnded) return endedBy(lease.node)
  const own = nodes.find(({ name, silentMs }) => name === node && silentMs <= silentMsMax)
  if (own === undefined || own.address === addressText(listen)) return null
  return `Another machine serves as "${node}", at ${own.address}: give this one a name of its own ([cluster] node). If it is this one, whose listen you have changed, start it again in 10 s.`
}

const damaged =
  'A file in which this node keeps what it captured is damaged. What can be read of it goes on to the cluster, and the file stays.'

/** What a second cluster of the same database captures would never reach the first, whose store it would clear. @throws OperatorError */
async function assertMayFound({ url, ca }: ClusterConfig, name: string, clock: Clock): Promise<void> {
  if ((await claimDatabase({ url, ca, clock }, name).catch(unlessAway)) === name) return
  throw new OperatorError(othersDatabase)
}

const othersDatabase =
  'The database of [cluster] url holds a cluster that this data folder does not belong to. `capture cluster join` fills an empty folder from it. A cluster of its own needs a database and a store of its own.'

function unlessAway(error: unknown): never {
  if (!(error instanceof ClusterLogAway)) throw error
  throw new OperatorError('The cluster’s database does not answer ([cluster] url), and is needed to begin a cluster.')
}
