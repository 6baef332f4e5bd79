import { type ClusterLog, ClusterLogAway, type SeenNode } from '../../cluster/cluster-log.ts'
import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import { nearest } from '../../lib/suggestion.ts'
import { clusterStatus, type NodeStatus } from './cluster-status.ts'

/** What a node applies in about a second. One that lacks more would keep deliveries waiting. */
const behindMax = 100
/** The leader hears of it within 2 s, and shares what it has within 10 s; then the other takes over. */
const waitMsMax = 30_000
const lookMs = 200

export interface HandedOver {
  leader: string
  /** Who led before; the same where it led already. */
  previous: string
}

/**
 * Has another node lead: the leader shares all that it has, and leaves the lease to that node.
 *
 * @throws OperatorError when the node cannot lead; then nothing has changed
 */
export async function leadBy(log: ClusterLog, node: string, clock: Clock): Promise<HandedOver> {
  try {
    const previous = await assertCanLead(log, node)
    if (previous !== node) await handOver(log, node, clock)
    return { leader: node, previous }
  } catch (error) {
    if (!(error instanceof ClusterLogAway)) throw error
    throw new OperatorError(
      'The cluster’s database does not answer ([cluster] url). Look who leads with `capture cluster status`.',
    )
  }
}

/** @returns who leads now */
async function assertCanLead(log: ClusterLog, name: string): Promise<string> {
  const { leader, nodes, database } = await clusterStatus(log)
  if (database === 'away') throw new ClusterLogAway('the status could not be read')
  if (leader === null) throw new OperatorError(`No node leads at present, so none can hand over. ${unchanged}`)
  if (leader === name) return leader
  const status = nodes.find((node) => node.name === name)
  const news = (await log.overview()).nodes
  const seen = news.find((node) => node.name === name)
  if (status === undefined || seen === undefined) throw unknownNode(name, nodes)
  const why = refusal(
    status,
    seen,
    news.find((node) => node.name === leader),
  )
  if (why !== null) throw new OperatorError(`"${name}" cannot lead: ${why}. ${unchanged}`)
  return leader
}

const unchanged = 'Nothing was changed.'

function unknownNode(name: string, nodes: readonly NodeStatus[]): OperatorError {
  const names = nodes.map((node) => node.name)
  const meant = nearest(name, names)
  const hint = meant === null ? `There are: ${names.join(', ')}` : `Did you mean ${meant}?`
  return new OperatorError(`The cluster has no node "${name}". ${hint}`)
}

function refusal({ state, behind }: NodeStatus, { mayLead, schema, silentMs }: SeenNode, leader?: SeenNode) {
  if (state === 'silent') return `it has said nothing for ${Math.round(silentMs / 1000)} s`
  if (!mayLead) return 'its configuration has [cluster] lead = false'
  if (state === 'astray' || state === 'joins') return 'it joins anew: wait until it follows'
  if (leader !== undefined && schema < leader.schema) return 'it has an older version than the leader: upgrade it first'
  if (state === 'paused') return 'it has a newer version than the leader: upgrade the leader first'
  return behind > behindMax ? `it lacks ${plural(behind, 'link')}: wait until it has caught up` : null
}

async function handOver(log: ClusterLog, node: string, clock: Clock): Promise<void> {
  await log.nominate(node)
  const untilMs = clock.monotonicMs() + waitMsMax
  while (clock.monotonicMs() < untilMs) {
    const lease = await log.lease(null)
    if (lease !== null && lease.leftMs > 0) {
      if (lease.node === node) return
      // Whoever leads has the word back: it kept the lease, or took it when the node did not.
      if (lease.nominee === null) break
    }
    await Bun.sleep(lookMs)
  }
  await log.nominate(null)
  throw new OperatorError(
    `"${node}" does not lead: the leader could not share all that it has, or "${node}" did not take over in time. Their logs say why.`,
  )
}
