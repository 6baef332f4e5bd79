import { ClusterLogAway } from '../../cluster/cluster-log.ts'
import { SealedLog } from '../../cluster/sealed-log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { byteSize } from '../../lib/quantities.ts'
import { type JoinedFolder, joinCluster } from '../../operations/cluster/join.ts'
import { clustersIn, PostgresLog } from '../../storage/postgres/postgres-log.ts'
import type { CommandResult } from '../command.ts'
import { openStore } from '../data-folder/cluster-store.ts'
import { actingOwner, typedCommandLine } from '../data-folder/data-owner.ts'
import { followerPorts, restorePorts } from '../open.ts'
import { startProgress } from '../output/streams.ts'
import type { Session } from '../session.ts'

export async function runJoin(session: Session): Promise<CommandResult> {
  const { clock, err } = session
  const { config, file } = await session.loadConfig()
  const { cluster, dataDir } = config
  if (cluster === null)
    throw new OperatorError(
      `${file ?? 'The configuration'} has no [cluster] with the url of a database (docs/cluster.md).`,
    )
  const options = { url: cluster.url, ca: cluster.ca, clock }
  const owner = actingOwner({ dataDir, typed: typedCommandLine(session) })
  const { folders, rights } = await restorePorts(clock, { asOwner: owner.begin, asCaller: owner.end })
  const progress = startProgress({ stream: err, clock, label: 'Joining', unit: 'bytes', total: null })
  const opened: PostgresLog[] = []
  try {
    for (const name of await clustersIn(options)) opened.push(new PostgresLog({ ...options, cluster: name }))
    const secret = Buffer.from(cluster.secret, 'base64')
    const joined = await joinCluster(
      {
        ...{ folders, rights },
        logs: opened.map((log) => new SealedLog(log, secret)),
        bases: openStore(cluster).bases,
        ...(await followerPorts()),
      },
      { dataDir, now: clock.now(), onBytes: progress.advance },
    )
    return { json: joined, text: joinedText(joined, cluster.node) }
  } catch (error) {
    if (!(error instanceof ClusterLogAway)) throw error
    throw new OperatorError('The cluster’s database does not answer ([cluster] url). Nothing was changed.')
  } finally {
    progress.end()
    for (const log of opened) log.close()
  }
}

const joinedText = ({ dataDir, bytes, link }: JoinedFolder, node: string): string[] => [
  `Joined as "${node}": ${dataDir} has a database of ${byteSize(bytes)}, as of link ${link}.`,
  'Start it with `capture serve`: it follows the leader from there on.',
]
