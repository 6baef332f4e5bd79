import type { ClusterLog } from '../../cluster/cluster-log.ts'
import type { AstrayDatabase, Unshared } from '../../cluster/joining-anew.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import type { Clock } from '../../lib/clock.ts'
import { joinAnew } from '../../operations/cluster/join.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { astrayDatabases, removeAstray, stageJoined } from '../../storage/filesystem/joined-folder.ts'
import { restoreFolders } from '../../storage/filesystem/restore-folders.ts'
import { openStore } from '../data-folder/cluster-store.ts'
import { followerPorts } from '../open.ts'

interface NodeFolder {
  config: ClusterConfig
  dataDir: string
  log: Pick<ClusterLog, 'base' | 'links'>
  clock: Clock
}

/** Puts the newest base of the cluster into the data folder, for its next opening. @throws OperatorError */
export const stageJoinedDatabase = async ({ config, dataDir, log, clock }: NodeFolder): Promise<void> =>
  joinAnew(
    {
      ...{ logs: [log], folders: restoreFolders, stage: stageJoined, bases: openStore(config).bases },
      ...(await followerPorts()),
    },
    { dataDir, now: clock.now(), onBytes: () => {} },
  )

/** The databases that such copies have replaced. */
export const astrayOf = (
  dataDir: string,
  unsharedIn: (astrayFile: string, databaseFile: string) => Unshared,
): AstrayDatabase[] =>
  astrayDatabases(dataDir).map((folder) => ({
    folder,
    unshared: () => unsharedIn(databaseFile(folder), databaseFile(dataDir)),
    remove: () => removeAstray(folder),
  }))
