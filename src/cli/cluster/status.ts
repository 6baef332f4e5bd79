import { timestamp } from '../../lib/quantities.ts'
import { clockText } from '../../operations/cluster/cluster-findings.ts'
import type { ClusterStatus, NodeStatus } from '../../operations/cluster/cluster-status.ts'
import { defineCommand } from '../command.ts'
import { printedLines } from '../output/print-result.ts'
import { type Cell, tableText } from '../output/table.ts'
import { withNodeLog } from './with-node-log.ts'

export const clusterStatusCommand = defineCommand({
  name: 'cluster status',
  summary: 'Shows the nodes of the cluster, who leads, and how far each has come',
  details: `Asks the cluster's database, on any node, whether its service runs or not. A node that has said nothing for 10 s is silent; one
that waits for its own upgrade, or the leader's, is paused; one that joins fetches a copy of the leader's database; one that holds what
the cluster went on without is astray, and joins anew by itself.
The exit status is 1 if the database does not answer, nobody leads, or a node is silent or astray.
--json prints { "leader": …|null, "nodes": [{ "name", "address", "version", "applied", "behind", "seenAt", "state":
"leads"|"follows"|"paused"|"joins"|"astray"|"silent" }], "database": "ok"|"away", "oldestUnsharedSeconds": …|null }; "applied" and
"behind" count links of the chain.`,
  async run(_, session) {
    const { clusterStatus } = await import('../../operations/cluster/cluster-status.ts')
    const status = await withNodeLog(session, ({ log }) => clusterStatus(log))
    return {
      json: { ...status, nodes: status.nodes.map(({ schema: _, skewSeconds: __, ...node }) => node) },
      text: ({ style }) => statusText(status) + nodesText(status, style),
      exitStatus: isWell(status) ? 0 : 1,
    }
  },
})

const isWell = ({ leader, nodes }: ClusterStatus): boolean =>
  leader !== null && nodes.every(({ state }) => tones[state] !== 'bad')

function statusText({ leader, nodes, database, oldestUnsharedSeconds }: ClusterStatus): string {
  if (database === 'away') return printedLines(['The database of the cluster does not answer.'])
  const waits =
    oldestUnsharedSeconds === 0
      ? []
      : [`The oldest captured record has waited ${oldestUnsharedSeconds} s for the leader.`]
  if (nodes.length === 0)
    return printedLines(['No node belongs to the cluster yet: a box begins it when it is served.'])
  return printedLines([leader === null ? 'No node leads at present.' : `"${leader}" leads.`, ...waits])
}

const tones = {
  leads: 'good',
  follows: 'good',
  paused: 'doubtful',
  joins: 'doubtful',
  astray: 'bad',
  silent: 'bad',
} as const

function nodesText({ nodes, database }: ClusterStatus, style: Parameters<typeof tableText>[1]): string {
  if (database === 'away' || nodes.length === 0) return ''
  const headers = ['Node', 'Address', 'Version', 'Behind', 'Clock', 'Seen', 'State']
  const rows = nodes.map(({ name, address, version, behind, skewSeconds, seenAt, state }: NodeStatus): Cell[] => [
    ...[name, address, version, behind, clockText(skewSeconds), timestamp(Date.parse(seenAt))],
    { text: state, tone: tones[state] },
  ])
  return `\n${tableText({ headers, rows, empty: '' }, style)}`
}
