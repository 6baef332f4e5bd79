import type { BatchCommitter } from '../../capture/write-batch.ts'
import { ClusterCommitter } from '../../cluster/cluster-committer.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import type { Clock } from '../../lib/clock.ts'
import { openNodeLog } from './node-log.ts'

interface NodeDatabase {
  knowsAccount: (accountId: string) => boolean
  boxId: () => string
}

/** Makes the committer of a node, which leaves what is captured with its cluster. */
export const nodeCommitter =
  (config: ClusterConfig, clock: Clock) =>
  ({ knowsAccount, boxId }: NodeDatabase): BatchCommitter => {
    const { log, close } = openNodeLog(config, boxId(), clock)
    const committer = new ClusterCommitter({ log, node: config.node, clock, knowsAccount })
    return {
      commit: (batch) => committer.commit(batch),
      close: async () => {
        await committer.close()
        close()
      },
    }
  }
