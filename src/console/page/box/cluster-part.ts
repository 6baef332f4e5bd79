import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { clockText } from '../../../operations/cluster/cluster-findings.ts'
import type { ClusterStatus, NodeStatus } from '../../../operations/cluster/cluster-status.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type MarkTone, mark } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import { agoTime } from '../values.ts'

/** The nodes of a cluster, as the running service saw them last; nothing on a single box. */
export async function clusterPart({ cluster, clock }: Pick<ConsoleBox, 'cluster' | 'clock'>): Promise<Markup | null> {
  if (cluster === null) return null
  const status = await cluster.status()
  return html`<h2 id="nodes">Nodes</h2>${status === null ? html`<p class="hint">This node has not heard of the cluster yet.</p>` : nodesPart(status, clock.now())}`
}

function nodesPart({ database, leader, nodes, oldestUnsharedSeconds }: ClusterStatus, now: number): Markup {
  if (database === 'away')
    return html`<div class="place bad"><p>The database of the cluster does not answer. Until it does, no other node takes over.</p></div>`
  const who = leader === null ? 'No node leads at present.' : html`<strong>${leader}</strong> leads.`
  const waits =
    (oldestUnsharedSeconds ?? 0) === 0
      ? null
      : ` The oldest captured record has waited for ${count(oldestUnsharedSeconds ?? 0)} s.`
  const alone = nodes.length === 1 ? ' It is the only node: no other takes over.' : null
  return html`<p class="said">${who}${alone}${waits}</p>${table('Nodes', columns(now), nodes)}`
}

const tones: Record<NodeStatus['state'], MarkTone> = {
  ...{ leads: 'good', follows: 'good', paused: 'doubtful', joins: 'doubtful', astray: 'bad', silent: 'bad' },
}

const columns = (now: number): TableColumn<NodeStatus>[] => [
  { head: 'Node', cell: ({ name }) => html`<strong>${name}</strong>` },
  { head: 'State', cell: ({ state }) => mark(state, tones[state]) },
  { head: 'Links behind', label: true, kind: 'number', cell: ({ behind }) => count(behind) },
  { head: 'Clock', label: true, kind: 'number', cell: ({ skewSeconds }) => clockText(skewSeconds) },
  { head: 'Version', label: true, kind: 'line', cell: ({ version }) => version },
  { head: 'Address', label: true, kind: 'mono', cell: ({ address }) => address },
  { head: 'Last heard of', label: true, kind: 'line', cell: ({ seenAt }) => agoTime(Date.parse(seenAt), now) },
]
