import type { BatchCommitter } from '../../capture/write-batch.ts'
import { ClusterCommitter } from '../../cluster/cluster-committer.ts'
import { ClusterLogAway } from '../../cluster/cluster-log.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { clustersIn } from '../../storage/postgres/postgres-log.ts'
import { openNodeLog } from './node-log.ts'

interface NodeDatabase {
  knowsAccount: (accountId: string) => boolean
  boxId: () => string
  /** Whether the folder has founded or joined a cluster. */
  isNode: boolean
}

/** Makes the committer of a node, which leaves what is captured with its cluster. */
export const nodeCommitter =
  (config: ClusterConfig, clock: Clock) =>
  async ({ knowsAccount, boxId, isNode }: NodeDatabase): Promise<BatchCommitter> => {
    const name = boxId()
    if (!isNode) await assertMayFound(config, name, clock)
    const { log, close } = openNodeLog(config, name, clock)
    const committer = new ClusterCommitter({ log, node: config.node, clock, knowsAccount })
    return {
      commit: (batch) => committer.commit(batch),
      close: async () => {
        await committer.close()
        close()
      },
    }
  }

/** What a second cluster of the same database captures would never reach the first, whose store it would clear. @throws OperatorError */
async function assertMayFound({ url, ca }: ClusterConfig, name: string, clock: Clock): Promise<void> {
  const others = (await clustersIn({ url, ca, clock }).catch(unlessAway)).filter((other) => other !== name)
  if (others.length === 0) return
  throw new OperatorError(
    'The database of [cluster] url holds a cluster that this data folder does not belong to. `capture cluster join` fills an empty folder from it. A cluster of its own needs a database and a store of its own.',
  )
}

function unlessAway(error: unknown): never {
  if (!(error instanceof ClusterLogAway)) throw error
  throw new OperatorError('The cluster’s database does not answer ([cluster] url), and is needed to begin a cluster.')
}
