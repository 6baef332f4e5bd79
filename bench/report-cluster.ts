import type { SideResult } from './compare.ts'
import { microseconds, milliseconds, whole } from './report-figures.ts'
import { table } from './report-table.ts'
import type { ClusterResult } from './section-cluster.ts'

/** Nothing where the section did not run. */
export function clusterTable(result?: ClusterResult): string {
  if (!result) return ''
  const { box, one, three, links } = result
  const row = (what: string, { requestsPerSecond, p50Ms, p99Ms, processorUs }: SideResult): string[] => [
    what,
    whole(requestsPerSecond),
    (requestsPerSecond / box.requestsPerSecond).toFixed(2),
    milliseconds(p50Ms),
    milliseconds(p99Ms),
    microseconds(processorUs),
  ]
  const rows = [row('one box', box), row('a cluster of one node', one), row('three nodes, all on this machine', three)]
  const { perSecond, entriesPerSecond, bytesAnEntry } = links
  const followed = `At full load, followers get ${whole(entriesPerSecond)} entries a second in ${perSecond.toFixed(1)} links, ${whole(bytesAnEntry)} bytes an entry.`
  return `${table(['Form submissions', '/s', 'Ratio', 'p50', 'p99', 'Processor each'], rows)}\n\n${followed}`
}
