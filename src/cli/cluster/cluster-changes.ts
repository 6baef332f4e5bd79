import { systemClock } from '../../lib/clock.ts'
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
    const membership = await settledMembership(dataDir)
    if (membership?.leads) return
    if (membership === null) throw new OperatorError(noService)
    const { node, leader } = membership
    throw new OperatorError(otherLeader(leader === node ? null : leader))
  },
  share: () => sharedByService(dataDir),
})

/** A node that has just got the lease begins to lead in a moment. */
const beginsMsMax = 5000
const lookMs = 100

async function settledMembership(dataDir: string): ReturnType<typeof membershipOf> {
  for (const untilMs = systemClock.monotonicMs() + beginsMsMax; ; await Bun.sleep(lookMs)) {
    const membership = await membershipOf(dataDir)
    const begins = membership !== null && !membership.leads && membership.leader === membership.node
    if (!begins || systemClock.monotonicMs() >= untilMs) return membership
  }
}

const noService =
  'This box belongs to a cluster, which learns of a change from the running service, and none runs here. Start it with `capture serve`. Nothing was changed.'

const otherLeader = (leader: string | null): string =>
  leader === null
    ? 'No node leads the cluster at present. Try again in a few seconds. Nothing was changed.'
    : `Another node leads the cluster: run this command on "${leader}". Nothing was changed.`

/** What a command says whose change the cluster does not have in time. */
export const notYetShared =
  'The change is kept here, and not yet in the cluster: until it is, another node that takes over does not know it.'
