import type { ClusterConfig } from '../../config/cluster.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { CommandSession } from '../command.ts'
import type { NodeLog } from './node-log.ts'

/** What a command on a node asks of its cluster. */
export interface AskedCluster extends Pick<NodeLog, 'log'> {
  cluster: ClusterConfig
  /** Of the cluster. */
  name: string
}

/** Opens the log of this box's cluster for one piece of work. @throws OperatorError on a single box */
export async function withNodeLog<T>(session: CommandSession, work: (asked: AskedCluster) => Promise<T>): Promise<T> {
  const { config } = await session.loadConfig()
  const { cluster } = config
  if (cluster === null)
    throw new OperatorError('This box belongs to no cluster: its capture.toml names no cluster.url.')
  const { openNodeLog } = await import('./node-log.ts')
  const name = await session.withBox(async (box) => box.boxId())
  const { log, close } = openNodeLog(cluster, name, session.clock)
  return work({ cluster, name, log }).finally(close)
}
