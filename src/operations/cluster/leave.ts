import { type AssetStore, ContentAway, storedEncodings } from '../../asset/asset-store.ts'
import { batchesFormat } from '../../cluster/cluster-committer.ts'
import { type ClusterLog, type LeaseCandidate, type SeenNode, silentMsMax } from '../../cluster/cluster-log.ts'
import { Following } from '../../cluster/following.ts'
import { endedBy } from '../../cluster/lease-keeper.ts'
import type { Replica } from '../../cluster/replica.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Processing } from '../../processing/processing.ts'

export interface LeavePorts {
  log: ClusterLog
  /** This node, with a run of its own. */
  candidate: LeaseCandidate
  replica: Replica
  processing: Pick<Processing, 'catchUp'>
  /** Fetches from the cluster's store what is not here, and keeps it. */
  assets: Pick<AssetStore, 'open'>
  /** Hashes of all contents that the box names. */
  referenced(): Iterable<string>
  /** What this node captured and keeps on its disk, since the database was away. */
  keptBytes(): number
  /** Makes the folder a single box's. */
  makeSingle(): void
  clock: Clock
}

export interface LeftCluster {
  node: string
  /** Whether the folder is a single box now. Else others go on with the cluster. */
  isSingleBox: boolean
  /** Who leads the nodes that go on; `null`: there are none. */
  leader: string | null
  /** The number of the last link in the folder. */
  link: number
  /** Contents that neither this node nor the store has. */
  missingContents: number
}

/**
 * Takes a node, whose service is stopped, out of its cluster. The last one becomes a single box that has everything.
 *
 * @param isAlone whether nodes that are only silent count as gone
 * @throws OperatorError where something would be lost; a second run goes on where one was stopped
 */
export async function leaveCluster(ports: LeavePorts, isAlone: boolean): Promise<LeftCluster> {
  const { log, candidate, replica } = ports
  const { node } = candidate
  if (replica.position() === null)
    throw new OperatorError(
      'This data folder belongs to no cluster: it is a single box. Take [cluster] out of its capture.toml, and start it with `capture serve`.',
    )
  const lease = await log.lease(null)
  const others = (await log.overview()).nodes.filter(({ name }) => name !== node)
  if (lease?.hasEnded && lease.node !== node) throw new OperatorError(endedBy(lease.node))
  if (ports.keptBytes() > 0)
    throw new OperatorError(
      'This node keeps records that the cluster does not have yet. Serve it until they are there, and then run this again. Nothing was changed.',
    )
  const living = others.filter(({ silentMs }) => silentMs <= silentMsMax)
  const link = replica.position()?.place?.number ?? 0
  if (living.length > 0 && !isAlone) {
    const leader = await otherLeader(ports)
    if (leader === null)
      throw new OperatorError(
        'No other node leads the cluster at present, so none may have all that this one has. Run this again once another leads (`capture cluster status`). Nothing was changed.',
      )
    await log.dismiss(node)
    return { node, leader, link, isSingleBox: false, missingContents: 0 }
  }
  if (living.length > 0)
    throw new OperatorError(
      `${named(living)} served the cluster within the last 10 s: two boxes would deliver the same. Stop ${living.length === 1 ? 'it' : 'them'} first, and wait. Nothing was changed.`,
    )
  if (others.length > 0 && !isAlone)
    throw new OperatorError(
      `${named(others)} said nothing for some time, and may hold records that the cluster does not have. Serve the cluster on one node, and run \`capture cluster leave\` on the others, before you run it here. Where these are gone for good, run it again with --alone. Nothing was changed.`,
    )
  const missingContents = await becomeSingle(ports)
  await log.dismiss(node)
  return { node, leader: null, link: replica.position()?.place?.number ?? link, isSingleBox: true, missingContents }
}

/** Who leads in place of this node; `null`: nobody does in time. */
async function otherLeader({ log, candidate, clock }: LeavePorts): Promise<string | null> {
  for (const untilMs = clock.monotonicMs() + leaseMsMax; clock.monotonicMs() < untilMs; await Bun.sleep(lookMs)) {
    const lease = await log.lease(null)
    if (lease !== null && lease.leftMs > 0 && lease.node !== candidate.node) return lease.node
  }
  return null
}

const named = (nodes: readonly SeenNode[]): string => nodes.map(({ name }) => `"${name}"`).join(', ')

/** @returns how many contents are missing */
async function becomeSingle(ports: LeavePorts): Promise<number> {
  const { log, candidate, replica, makeSingle } = ports
  const lead = new Lead(ports)
  if (!(await lead.hasEnded())) {
    await whileProcessing(ports, () => catchUp(ports, lead))
    // Whoever led before has delivered what is there; what is taken from now on, this box delivers.
    while (!replica.startDelivering()) await Bun.sleep(lookMs)
    await whileProcessing(ports, () => takeIntake(ports, lead))
  }
  const missing = await fetchContents(ports, lead)
  // From here on nobody else can lead, so that there are never two histories.
  if (!(await lead.hasEnded()) && !(await log.end(candidate.run))) throw new OperatorError(leadLost)
  await whileProcessing(ports, () => takeIntake(ports, lead))
  // Adds what batches have counted.
  replica.proposeBase(newId())
  makeSingle()
  return missing
}

const lookMs = 100
/** The lease of a service that was just stopped or killed runs out in that time, and another node takes it. */
const leaseMsMax = 15_000
const leadLost = 'Another node has begun to lead the cluster. Stop it first, and run this again. Nothing was changed.'

/** The lease, while a command does what only a leader may. */
class Lead {
  constructor(private readonly ports: Pick<LeavePorts, 'log' | 'candidate' | 'clock'>) {}

  async hasEnded(): Promise<boolean> {
    return (await this.ports.log.lease(null))?.hasEnded ?? false
  }

  /** Takes or renews it. @throws OperatorError when another has it */
  async keep(): Promise<void> {
    const { log, candidate, clock } = this.ports
    for (const untilMs = clock.monotonicMs() + leaseMsMax; ; await Bun.sleep(lookMs)) {
      const lease = await log.lease(candidate)
      if (lease?.run === candidate.run) return
      if (clock.monotonicMs() > untilMs) throw new OperatorError(leadLost)
    }
  }
}

/** Applying a link may wait until what came before it is processed. */
async function whileProcessing({ processing }: LeavePorts, work: () => Promise<void>): Promise<void> {
  let isDone = false
  const processAll = async (): Promise<void> => {
    while ((await processing.catchUp(lookMs)) > 0 || !isDone) await Bun.sleep(lookMs / 10)
  }
  await Promise.all([
    processAll(),
    work().finally(() => {
      isDone = true
    }),
  ])
}

async function catchUp({ log, replica }: LeavePorts, lead: Lead): Promise<void> {
  const following = new Following({ log, replica, version: '' })
  let reach = 'more'
  while (reach === 'more') {
    await lead.keep()
    reach = await following.turn()
  }
  if (reach === 'whole' || (reach === 'astray' && (await isAhead(log, replica)))) return
  throw new OperatorError(
    reach === 'newer' || reach === 'older'
      ? 'The cluster is at another version: install that version here first. Nothing was changed.'
      : 'This folder is not like the leader’s: it has to join anew first. Serve it until `capture cluster status` says that it follows. Nothing was changed.',
  )
}

/** Whether the database has lost links that the folder contains. Then the chain has none that the folder lacks. */
const isAhead = async (log: LeavePorts['log'], replica: Replica): Promise<boolean> =>
  (await log.overview()).end < (replica.position()?.place?.number ?? 0)

async function takeIntake({ log, replica, clock }: LeavePorts, lead: Lead): Promise<void> {
  for (;;) {
    if (!(await lead.hasEnded())) await lead.keep()
    const batches = await log.take(replica.takenIds())
    if (batches.length === 0) return
    if (batches.some(({ format }) => format !== batchesFormat))
      throw new OperatorError('A node of a newer version has left records: install that version here first.')
    replica.commit(batches, clock.now())
  }
}

function storeAway(error: unknown): never {
  if (error instanceof ContentAway) throw new OperatorError(`${error.message}. Run this again once it answers.`)
  throw error
}

async function fetchContents({ assets, referenced }: LeavePorts, lead: Lead): Promise<number> {
  let missing = 0
  for (const sha256 of referenced()) {
    let isHere = false
    for (const encoding of storedEncodings)
      isHere = (await assets.open({ sha256, encoding }).catch(storeAway)) !== null || isHere
    if (!isHere) missing++
  }
  if (!(await lead.hasEnded())) await lead.keep()
  return missing
}
