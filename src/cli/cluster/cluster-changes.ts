import { OperatorError } from '../../lib/operator-error.ts'
import { membershipOf, sharedByService } from '../serve/control-socket.ts'

/** How an operator's change on this machine gets into the cluster: through the running service. */
export interface ClusterChanges {
  /** @throws OperatorError unless this node leads */
  refuseElsewhere(): Promise<void>
  /** Whether the cluster has all that the folder holds now, at the latest after 5 s. */
  share(): Promise<boolean>
}

export const clusterChanges = (dataDir: string): ClusterChanges => ({
  async refuseElsewhere() {
    const membership = await membershipOf(dataDir)
    if (membership?.leads) return
    throw new OperatorError(membership === null ? noService : otherLeader(membership.leader))
  },
  share: () => sharedByService(dataDir),
})

const noService =
  'This box belongs to a cluster, which learns of a change from the running service, and none runs here. Start it with `capture serve`. Nothing was changed.'

const otherLeader = (leader: string | null): string =>
  leader === null
    ? 'No node leads the cluster at present. Try again in a few seconds. Nothing was changed.'
    : `Another node leads the cluster: run this command on "${leader}". Nothing was changed.`

/** What a command says whose change the cluster does not have in time. */
export const notYetShared =
  'The change is kept here, and not yet in the cluster: until it is, another node that takes over does not know it.'
