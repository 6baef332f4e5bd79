import { ClusterLogAway } from '../../cluster/cluster-log.ts'
import { addressText } from '../../config/values.ts'
import { newId } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import { type LeftCluster, leaveCluster } from '../../operations/cluster/leave.ts'
import { isHeld, takeFolderLock } from '../../storage/lock/folder-lock.ts'
import { spooledIn } from '../../storage/spool/spool-folder.ts'
import type { CommandResult, CommandSession } from '../command.ts'
import { leavingPorts } from '../open.ts'
import { withNodeLog } from './with-node-log.ts'

export async function runLeave(session: CommandSession, isAlone: boolean): Promise<CommandResult> {
  const { config } = await session.loadConfig()
  const { dataDir } = config
  const left = await withNodeLog(session, ({ cluster, log }) => {
    const { node, listen } = cluster
    const candidate = { node, run: newId(), address: addressText(listen), certificate: '' }
    return stopped(dataDir, () =>
      session.withBox(async (box) => {
        const { close, ...ports } = await leavingPorts(config, session.clock)
        const { processing, assets, clock } = box
        const keptBytes = () => spooledIn(dataDir).waiting
        try {
          return await answered(
            leaveCluster({ ...ports, log, candidate, processing, assets, keptBytes, clock }, isAlone),
          )
        } finally {
          close()
        }
      }),
    )
  })
  return { json: left, text: left.isSingleBox ? singleText(left, dataDir) : leftText(left, dataDir) }
}

async function answered(leaving: Promise<LeftCluster>): Promise<LeftCluster> {
  try {
    return await leaving
  } catch (error) {
    if (!(error instanceof ClusterLogAway)) throw error
    throw new OperatorError('The cluster’s database does not answer ([cluster] url). Run this again once it does.')
  }
}

/** With the lock of a service, so that none runs here meanwhile. */
async function stopped<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = takeFolderLock(dataDir, 'serve', 'capture cluster leave')
  if (!isHeld(lock))
    throw new OperatorError(
      `The data folder ${dataDir} is in use by process ${lock.pid} (${lock.doing}). Stop that first, then run this again. Nothing was changed.`,
    )
  try {
    return await work()
  } finally {
    lock.release()
  }
}

const singleText = ({ node, missingContents }: LeftCluster, dataDir: string): string[] => [
  `The cluster is over: ${dataDir}, of "${node}", is a single box with everything.`,
  ...(missingContents === 0
    ? []
    : [
        `${plural(missingContents, 'page or file', 'pages or files')} could not be fetched: \`capture doctor\` names them.`,
      ]),
  'Take [cluster] out of its capture.toml, and start it with `capture serve`.',
  'Drop the tables in PostgreSQL and empty the store once you do not need them: what is erased from now on stays there, sealed.',
]

const leftText = ({ node, leader }: LeftCluster, dataDir: string): string[] => [
  `"${node}" has left the cluster, which "${leader}" leads.`,
  `Delete ${dataDir}: it still holds records, and no erasure reaches it. If \`capture serve\` starts on it, it is a node again.`,
]
