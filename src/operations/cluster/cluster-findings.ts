import { count, timestamp } from '../../lib/quantities.ts'
import { type CheckResult, fault, warning } from '../check-result.ts'
import type { ClusterStatus, NodeStatus } from './cluster-status.ts'

const check = 'cluster'

/** While there is work, a link comes each second: so many are two minutes. */
const linksBehindMax = 120
/** The leader takes what is captured ten times a second. */
const unsharedSecondsMax = 30
const skewSecondsMax = 1
/** A node whose clock is off by more is not ready (`/readyz`): persons follow the order of receipt. */
export const skewSecondsUnready = 30

type Problem = { found: string; advice: string; isFault?: true }

/** What is wrong with a node in each state; `null`: nothing. */
export const stateProblems: Record<NodeStatus['state'], ((node: NodeStatus) => Problem) | null> = {
  leads: null,
  follows: null,
  paused: ({ name, version }) => ({
    found: `Node "${name}" has version ${version}, and no longer follows: the leader has another one.`,
    advice:
      'Upgrade the older of the two (`capture upgrade`). Until then it captures, serves what it has, and cannot take over.',
  }),
  joins: ({ name }) => ({
    found: `Node "${name}" fetches a copy of the leader's database, since its own is not like it.`,
    advice: 'It follows again by itself, within minutes. If it does not, its log says what keeps it.',
  }),
  astray: ({ name }) => ({
    found: `Node "${name}" holds what the cluster went on without, so it cannot follow.`,
    advice: 'It joins anew by itself, minutes after another node leads. If it does not, its log says what keeps it.',
  }),
  silent: ({ name, seenAt }) => ({
    found: `Node "${name}" is silent since ${timestamp(Date.parse(seenAt))}.`,
    advice:
      'Look at its machine and at the log of its service. A node that is gone for good is forgotten after a week.',
  }),
}

/** What is wrong with a cluster, as far as its database says. */
export function clusterFindings({ database, leader, nodes, oldestUnsharedSeconds }: ClusterStatus): CheckResult[] {
  if (database === 'away')
    return [
      fault(
        check,
        'The database of the cluster does not answer.',
        'See whether PostgreSQL runs, and whether this machine reaches it. Until it answers, no other node takes over.',
        { about: 'database' },
      ),
    ]
  if (nodes.length === 0) return [nobody]
  return [
    ...(leader === null ? [nodes.some(({ state }) => state === 'astray') ? cutShort : leaderless] : []),
    ...((oldestUnsharedSeconds ?? 0) > unsharedSecondsMax ? [unshared(oldestUnsharedSeconds ?? 0)] : []),
    ...nodes.flatMap((node) => [...nodeProblem(node), ...clockProblem(node)]),
  ]
}

/** What a node says that does not lead, since nobody else may: its identities in alerts. */
export const saidByFollowers: ReadonlySet<string> = new Set([`${check} database`, `${check} leader`])

const nobody = warning(
  check,
  'No node belongs to the cluster yet.',
  'A box begins it, and a joined folder belongs to it, once the service runs with this `[cluster]`.',
  { about: 'nodes' },
)

const leaderless = fault(
  check,
  'No node leads the cluster: nothing is delivered, and nothing can be changed.',
  'Look at the logs of the nodes. A node leads once it has applied every link, unless it has `[cluster] lead = false`.',
  { about: 'leader' },
)

/** Else one that is astray would join anew from the leader. */
const cutShort = fault(
  check,
  'No node leads the cluster, and some hold what its chain does not: nothing is delivered, and nothing can be changed.',
  'Start the nodes that are stopped: one of them may lead. If none does, PostgreSQL has lost what it had acknowledged. docs/cluster.md says what to do ("If PostgreSQL loses something").',
  { about: 'leader' },
)

const unshared = (seconds: number): CheckResult =>
  warning(
    check,
    `A captured record has waited for ${count(seconds)} s until the leader stores it.`,
    'Look at the log of the node that leads, and at its disk.',
    { about: 'intake' },
  )

function nodeProblem(node: NodeStatus): CheckResult[] {
  const problem = stateProblems[node.state]?.(node) ?? (node.behind > linksBehindMax ? behind(node) : null)
  if (problem === null) return []
  const about = `node ${node.name}`
  return [(problem.isFault ? fault : warning)(check, problem.found, problem.advice, { about })]
}

const behind = ({ name, behind }: NodeStatus): Problem => ({
  found: `Node "${name}" is ${count(behind)} links behind.`,
  advice: 'A node that was away catches up by itself. If the number does not fall, look at its log and its disk.',
})

function clockProblem({ name, state, skewSeconds }: NodeStatus): CheckResult[] {
  const off = Math.abs(skewSeconds)
  if (state === 'silent' || off < skewSecondsMax) return []
  const isUnready = off >= skewSecondsUnready
  return [
    (isUnready ? fault : warning)(
      check,
      `The clock of node "${name}" is ${skewText(skewSeconds)} that of the database.${isUnready ? ' It says that it is not ready.' : ''}`,
      'Let a time server set the clock of each machine.',
      { about: `clock of ${name}` },
    ),
  ]
}

/** `-2.5 s`, but never `-0.0 s`. */
export const clockText = (skewSeconds: number): string => `${(Math.round(skewSeconds * 10) / 10 || 0).toFixed(1)} s`

/** `2.5 s ahead of` */
export const skewText = (seconds: number): string =>
  `${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'}`
