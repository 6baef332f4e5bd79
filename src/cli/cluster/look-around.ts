import { TargetFault } from '../../backup/target/backup-target.ts'
import type { BaseStore } from '../../cluster/base-store.ts'
import type { ClusterLog } from '../../cluster/cluster-log.ts'
import type { Clock } from '../../lib/clock.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { awayStatus, type ClusterStatus, clusterStatus } from '../../operations/cluster/cluster-status.ts'
import type { SightNotice } from '../threads/cluster-sight.ts'

/** Whoever waits for the other nodes sees them as they were at the last look. */
const lookMs = 1000
/** Each look costs a listing of a bucket. */
const storeLookMs = 120_000

interface Lookout {
  /** The name of this node. */
  node: string
  log: Pick<ClusterLog, 'lease' | 'overview'>
  bases: Pick<BaseStore, 'newestAt'>
  /** Puts contents that the store lacks and this node has. */
  supply: () => Promise<void>
  /** Of what this node keeps while the database is away. */
  spoolBytes: () => number
  clock: Pick<Clock, 'monotonicMs'>
  notices: Log
  tell: (notice: SightNotice) => void
}

/** Looks at the other nodes and at the store, for as long as this node belongs to the cluster. */
export function lookAround(lookout: Lookout): PeriodicWork {
  const { node, log, bases, spoolBytes, clock, notices, tell } = lookout
  const sayBehind = behindNotice(node, notices, clock)
  const looks = [
    everyInterval(
      lookMs,
      async () => {
        const status = await statusOf(log)
        tell({ status, spoolBytes: spoolBytes() })
        sayBehind(status)
      },
      notices,
    ),
    everyInterval(storeLookMs, async () => tell({ isStoreUp: await isUp(bases) }), notices),
    everyInterval(storeLookMs, supplying(lookout), notices),
  ]
  return { stop: async () => void (await Promise.all(looks.map((look) => look.stop()))) }
}

/** Each supply costs a listing of everything in a bucket. */
const supplyMs = 60 * 60_000

/**
 * The leader clears the store of what no record names, also of files whose records a node that was cut off keeps for hours: with
 * the records, the node puts them there again.
 */
function supplying({ supply, spoolBytes, clock }: Lookout): () => Promise<void> {
  let nextAtMs = clock.monotonicMs() + supplyMs
  return async () => {
    if (spoolBytes() > 0) nextAtMs = Number.NEGATIVE_INFINITY
    else if (clock.monotonicMs() >= nextAtMs) {
      await supply()
      nextAtMs = clock.monotonicMs() + supplyMs
    }
  }
}

/** What the database refuses, whoever leads and follows logs. */
async function statusOf(log: Lookout['log']): Promise<ClusterStatus> {
  try {
    return await clusterStatus(log)
  } catch (error) {
    if (error instanceof OperatorError) return awayStatus
    throw error
  }
}

async function isUp(bases: Lookout['bases']): Promise<boolean> {
  try {
    await bases.newestAt()
    return true
  } catch (error) {
    if (error instanceof TargetFault) return false
    throw error
  }
}

/** A link comes each second: with so many to apply, a node was away. */
const linksAwayMin = 60
const noticeMs = 30_000

/** Logs of a node that was away how far it is, until it has all. */
function behindNotice(node: string, notices: Log, { monotonicMs }: Lookout['clock']): (status: ClusterStatus) => void {
  let saidAtMs: number | null = null
  return ({ nodes }) => {
    const own = nodes.find(({ name }) => name === node)
    if (own === undefined) return
    const { applied, behind } = own
    if (saidAtMs !== null && behind <= 1) {
      saidAtMs = null
      notices.info('This node has applied the links that it lacked.', { applied })
    } else if (behind >= linksAwayMin && monotonicMs() - (saidAtMs ?? Number.NEGATIVE_INFINITY) >= noticeMs) {
      saidAtMs = monotonicMs()
      notices.info('This node applies the links that it lacks.', { behind })
    }
  }
}
