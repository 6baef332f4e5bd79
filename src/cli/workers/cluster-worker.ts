import { dirname, join } from 'node:path'
import { BaseMaker } from '../../cluster/base-maker.ts'
import { JoiningAnew } from '../../cluster/joining-anew.ts'
import { Membership } from '../../cluster/membership.ts'
import { addressText } from '../../config/values.ts'
import { systemClock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import { openAssetStore } from '../../storage/filesystem/asset-store.ts'
import { spooledIn } from '../../storage/spool/spool-folder.ts'
import { boxIdOf } from '../../storage/sqlite/account/revision.ts'
import { unsharedIn } from '../../storage/sqlite/cluster/astray-database.ts'
import { openBaseSource } from '../../storage/sqlite/cluster/base-source.ts'
import { SqliteReplica } from '../../storage/sqlite/cluster/sqlite-replica.ts'
import { openConnection } from '../../storage/sqlite/database/connection.ts'
import { backupScratch } from '../backup/targets.ts'
import { astrayOf, stageJoinedDatabase } from '../cluster/joined-database.ts'
import { lookAround } from '../cluster/look-around.ts'
import { openNodeLog } from '../cluster/node-log.ts'
import { openStore } from '../data-folder/cluster-store.ts'
import { copyInThread } from '../threads/backup-threads.ts'
import type { ClusterBeginning, ClusterNotice, ClusterRequest } from '../threads/cluster-thread.ts'
import { workInThread } from '../threads/service-thread.ts'
import { programVersion } from '../version.ts'

// The thread that belongs to a cluster: it leads or follows, until it is told to close.
workInThread<ClusterBeginning, ClusterNotice, ClusterRequest>(
  async ({ config, databaseFile, certificate }, { post, log: notices }) => {
    const clock = systemClock
    const cluster = boxIdIn(databaseFile)
    const dataDir = dirname(databaseFile)
    const here = await openAssetStore(join(dataDir, 'assets'))
    const replica = new SqliteReplica({ databaseFile, clock, removeContent: (sha256) => here.delete(sha256) })
    const { log, prepare, close } = openNodeLog(config, cluster, clock)
    const store = openStore(config)
    const source = openBaseSource(databaseFile, copyInThread)
    const scratch = () => backupScratch(dataDir)
    const joining = new JoiningAnew({
      ...{ clock, notices },
      stage: () => stageJoinedDatabase({ config, dataDir, log, clock }),
      astray: () => astrayOf(dataDir, unsharedIn),
      onStaged: () => post({ joined: true }),
    })
    let passesOn = false
    const membership = new Membership({
      ...{ log, prepare, replica, clock, notices, cluster, joining },
      candidate: { node: config.node, run: newId(), address: addressText(config.listen), certificate },
      version: programVersion,
      mayLead: config.lead,
      beginBases: () =>
        new BaseMaker({ ...store, log, here, source, scratch, clock, notices, program: programVersion }),
      onStanding: (standing) => post({ standing }),
    })
    const ending = new AbortController()
    const looking = lookAround({
      ...{ node: config.node, log, bases: store.bases, clock, notices, tell: post },
      supply: () => store.contents.supply(here, source, ending.signal).catch(unlessAborted(ending.signal)),
      spoolBytes: () => spooledIn(dataDir).waiting,
    })
    return {
      receive(request) {
        if ('passOn' in request) {
          passesOn = true
          return
        }
        const { ask, question } = request
        // A link that has all that the folder holds now.
        const shared = () => membership.share().then(() => replica.position()?.place?.number ?? null)
        const answer = ask === 'share' ? shared() : membership.others()
        answer.then(
          (answer) => post({ answered: question, answer }),
          () => post({ answered: question, answer: null }),
        )
      },
      async close() {
        ending.abort(new Error('this node stops'))
        // It may wait for the database, whose log is closed below.
        void looking.stop()
        await membership.stop(passesOn)
        close()
        source.close()
        replica.close()
      },
    }
  },
)

const unlessAborted =
  (signal: AbortSignal) =>
  (error: unknown): void => {
    if (!signal.aborted) throw error
  }

/** The name of the cluster: all nodes have the box id of the one that founded it. */
function boxIdIn(databaseFile: string): string {
  const connection = openConnection(databaseFile)
  try {
    return boxIdOf(connection)
  } finally {
    connection.raw.close()
  }
}
