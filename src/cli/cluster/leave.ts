import { defineCommand } from '../command.ts'

export const clusterLeave = defineCommand({
  name: 'cluster leave',
  summary: 'Takes this node out of its cluster; the last one becomes a single box',
  details: `Stop the service of this node first. While others serve the cluster, they go on, and this node's row goes from \`capture cluster
status\`; delete its data folder then, which no erasure reaches any more.
The last node becomes a single box: it applies what the cluster still holds, fetches all pages and files from the store, and ends the
cluster. Take [cluster] out of its capture.toml and serve it. No other node of that cluster is served from then on.
It is refused while something would be lost: while no other node leads those that go on; while others are silent and may hold
records; while the database or the store does not answer. A second run goes on where one was stopped.
--json prints { "node", "isSingleBox", "leader": …|null, "link", "missingContents" }.`,
  options: {
    alone: {
      summary: 'become a single box although other nodes are only silent: what they hold and never shared is lost',
    },
  },
  async run({ options: { alone } }, session) {
    const { runLeave } = await import('./leave-run.ts')
    return runLeave(session, alone)
  },
})
