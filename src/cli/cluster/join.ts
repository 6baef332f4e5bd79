import { defineCommand } from '../command.ts'

export const clusterJoin = defineCommand({
  name: 'cluster join',
  summary: 'Fills an empty data folder from the cluster of [cluster], whose node this machine becomes',
  details: `Fetches the newest copy of the leader's database from the store and checks it. \`capture serve\` then follows the leader from
there on. Pages and files come as they are asked for. The folder gets the sealing key of the cluster, in seal.key.
The leader puts a copy into the store when a cluster begins, and once a day. Nothing is changed if it cannot be used.
--json prints { "dataDir", "bytes", "link" }: the size of the database, and the number of the link that it follows from.`,
  async run(_, session) {
    const { runJoin } = await import('./join-run.ts')
    return runJoin(session)
  },
})
