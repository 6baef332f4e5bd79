import { defineCommand } from '../command.ts'
import { withNodeLog } from './with-node-log.ts'

export const clusterLead = defineCommand({
  name: 'cluster lead',
  summary: 'Lets another node of the cluster lead',
  details: `The leader stops delivering, shares all that it has, and leaves the lead to that node: a few seconds without deliveries and
console, in which captures and pages go on. Run it on any node. It is refused where the node is silent, astray, of an older version, far
behind, or has lead = false in its configuration.
--json prints { "leader", "previous" }: the names of who leads now, and who led before.`,
  args: { node: { summary: 'the name of the node that is to lead, as `capture cluster status` shows it' } },
  async run({ args: { node } }, session) {
    const { leadBy } = await import('../../operations/cluster/lead.ts')
    const result = await withNodeLog(session, ({ log }) => leadBy(log, node, session.clock))
    const { leader, previous } = result
    const text = leader === previous ? `"${leader}" leads already.` : `"${leader}" leads, in place of "${previous}".`
    return { json: result, text }
  },
})
